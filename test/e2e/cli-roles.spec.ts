import { createUser } from '../support/accounts/admin-users';
import { eventsOfOperator } from '../support/documents/command-audit';
import { Ran, typedAt, typedOn } from '../support/service/command-line';
import { ADMIN, eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface ListedRole {
  readonly id: string;
  readonly scope: string;
  readonly name: string;
  readonly user_count: number;
}

interface RoleList {
  readonly items: ListedRole[];
  readonly next_cursor: string | null;
}

describe('commands of roles', () => {
  let service: TestService;
  let annId: string;

  withService(async (started) => {
    service = started;
    const admin = await service.admin();
    annId = (await createUser(admin, 'cli_ann')).id;
    const roles = [
      { name: 'editor', permissions: [{ permission_id: 'role:read' }] },
      { name: 'reader' },
      { name: 'clerk', scope: 'crm' },
    ];
    for (const role of roles) expect((await admin.post('/api/role', role)).status).toBe(201);
  });

  const run = (line: string): Promise<Ran> => typedOn(service, line);
  const runApart = (line: string): Promise<Ran> => typedAt(service.database, line);

  async function data<T>(line: string): Promise<T> {
    const { code, out, err } = await run(`${line} --json`);
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as T;
  }

  it('lists roles page by page', async () => {
    const names: string[] = [];
    let cursor: string | null = '1x2';
    for (let pages = 0; cursor !== null; pages += 1) {
      expect(pages).toBeLessThan(4);
      const { items, next_cursor }: RoleList = await data(`role list --cursor ${cursor}`);
      expect(items.length).toBeLessThanOrEqual(2);
      names.push(...items.map(({ name }) => name));
      cursor = next_cursor;
    }
    const all = await data<RoleList>('role list');
    expect(names).toEqual(all.items.map(({ name }) => name));
    expect(names.toSorted()).toEqual(['admin', 'clerk', 'editor', 'reader', 'user']);
  });

  it('filters by scope and name', async () => {
    const { items } = await data<RoleList>('role list --scope crm');
    expect(items.map(({ name }) => name)).toEqual(['clerk']);
    const { out } = await runApart('role list --keyword edit');
    expect(out).toMatch(/^[0-9a-f-]{36}\t\w+\teditor\t0\n$/);
  });

  it('adds a user to roles, by name, scope and id, and audits it', async () => {
    expect(await run('role grant cli_ann editor')).toEqual({ code: 0, out: 'Roles of cli_ann: editor\n', err: '' });
    const again = await data<{ items: ListedRole[] }>('role grant cli_ann editor');
    expect(again.items.map(({ name }) => name)).toEqual(['editor']);
    await run('role grant cli_ann crm:clerk');
    const [reader] = (await data<RoleList>('role list --keyword reader')).items;
    const { items } = await data<{ items: ListedRole[] }>(`role grant ${annId} ${reader!.id}`);
    expect(items.map(({ name }) => name).toSorted()).toEqual(['clerk', 'editor', 'reader']);
    const events = await eventsOfOperator(service, annId);
    expect(events.map(({ action }) => action)).toEqual(['user.add_roles', 'user.add_roles', 'user.add_roles']);
  });

  it('applies a grant and its revocation to the running service', async () => {
    const bob = await service.signUp('cli_bob');
    expect((await bob.get('/api/role')).status).toBe(403);
    expect((await runApart('role grant cli_bob editor')).code).toBe(0);
    const read = (): Promise<{ status: number }> => bob.get('/api/role');
    await eventually(read, ({ status }) => status === 200, 2);
    const { id } = await data<{ id: string }>('user show cli_bob');
    const { out } = await runApart('role revoke cli_bob editor --json');
    expect(JSON.parse(out)).toMatchObject({ id, username: 'cli_bob' });
    await eventually(read, ({ status }) => status === 403, 2);
    expect((await eventsOfOperator(service, id)).map(({ action }) => action)).toEqual([
      'user.add_roles',
      'user.remove_role',
    ]);
  });

  it('makes an administrator, who can then replace the first one', async () => {
    await service.register('cli_root');
    expect((await run('role grant cli_root admin')).code).toBe(0);
    const { items } = await data<{ items: { username: string }[] }>('admin list');
    expect(items.map(({ username }) => username)).toEqual(['cli_root', ADMIN.username]);
    expect((await run('role revoke cli_root admin')).code).toBe(0);
  });

  it.each([
    ['role grant cli_ann nothing', 1, 'There is no role "nothing".'],
    ['role grant cli_ann crm:editor', 1, 'There is no role "crm:editor".'],
    ['role grant nothing editor', 1, 'There is no user "nothing".'],
    ['role revoke cli_ann user', 1, 'cli_ann does not have the role "user".'],
    ['role list --scope CRM', 2, '  --scope: '],
  ])('ends "%s" with %d', async (line, expected, reason) => {
    const { code, out, err } = await run(line);
    expect([code, out]).toEqual([expected, '']);
    expect(err).toContain(reason);
  });
});
