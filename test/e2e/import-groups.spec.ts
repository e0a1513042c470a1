import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountExportService } from '../../src/import-export';
import { createGroup, createTree, GroupAnswer, joinGroup } from '../support/accounts/groups';
import { createRole, userWith } from '../support/accounts/holders';
import { Imported, importInto, stateOf } from '../support/accounts/imports';
import { addMember, createOrganization } from '../support/organizations/organizations';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let folder: string;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  folder = await mkdtemp(join(tmpdir(), 'castellan-groups-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** As the systems write their files. */
const written = (from: string, users: object[]): string => {
  if (from === 'auth0') return users.map((user) => JSON.stringify(user)).join('\n');
  return JSON.stringify(from === 'keycloak' ? { users } : users);
};

async function imported(from: string, users: object[], options: { dryRun?: boolean } = {}): Promise<Imported> {
  const path = join(folder, 'users.json');
  await writeFile(path, written(from, users));
  return importInto(service, from, path, { withRoles: true, ...options });
}

/** The paths of the user's groups. */
async function pathsOf(username: string, at = service): Promise<string[]> {
  const rows = await at.query<{ id: string }>(
    `SELECT group_id AS id FROM user_group_member JOIN user_account ON user_account.id = user_id WHERE username = $1`,
    [username],
  );
  const client = await at.admin();
  const groups = await Promise.all(rows.map(({ id }) => client.get<GroupAnswer>(`/api/group/${id}`)));
  return groups.map(({ body }) => body.path.join('/')).sort();
}

describe('imported groups', () => {
  it.each([
    ['keycloak', (username: string, groups: string[]) => ({ id: username, username, groups })],
    ['casdoor', (name: string, groups: string[]) => ({ owner: 'acme', name, groups })],
    [
      'auth0',
      (username: string, groups: string[]) => ({
        user_id: `auth0|${username}`,
        username,
        app_metadata: { authorization: { groups } },
      }),
    ],
  ])('of %s are created without roles, and joined once', async (from, userOf) => {
    const [one, two] = [`one_${from}`, `two_${from}`];
    const users = [
      userOf(one, [`/${from}/editors of ${from}`, from]),
      userOf(two, [`/${from}/editors of ${from}`, `/else/editors of ${from}`, '/a//b']),
    ];
    const dry = await imported(from, users, { dryRun: true });
    const before = await stateOf(service);
    const { totals } = await imported(from, users);
    expect(totals).toMatchObject({ made: 2, notes: { group_left_out: 1 } });
    expect(totals).toEqual(dry.totals);
    expect(await stateOf(service)).not.toEqual(before);
    expect(await pathsOf(one)).toEqual([from, `${from}/editors of ${from}`]);
    expect(await pathsOf(two)).toEqual([`${from}/editors of ${from}`]);
    const { body } = await admin.get<{ items: GroupAnswer[] }>(`/api/group?keyword=${from}`);
    expect(body.items.map(({ role_ids }) => role_ids)).toEqual([[], []]);
    const after = await stateOf(service);
    expect((await imported(from, users)).totals).toMatchObject({ unchanged: 2 });
    expect(await stateOf(service)).toEqual(after);
  });

  it('are audited with the import as their reason', async () => {
    await imported('keycloak', [{ id: 'audited', username: 'audited', groups: ['/audited group'] }]);
    const [group] = await service.query<{ id: string }>(`SELECT id FROM user_group WHERE name = 'audited group'`);
    const events = await service.query(
      'SELECT action, reason, after FROM audit_event WHERE target_id = $1 ORDER BY id',
      [group!.id],
    );
    expect(events).toMatchObject([
      { action: 'group.create', reason: 'import', after: { name: 'audited group', role_ids: [] } },
      { action: 'group.add_users', reason: 'import', after: { added: 1 } },
    ]);
  });

  it('name each of many users in the audit log', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `crowd_${index}`);
    await imported(
      'keycloak',
      names.map((username) => ({ id: username, username, groups: ['/crowd of imported'] })),
    );
    const [counts] = await service.query(
      `SELECT count(DISTINCT added)::int AS users, count(DISTINCT event.id)::int AS entries
       FROM audit_event AS event CROSS JOIN jsonb_array_elements_text(after->'added_ids') AS added
       WHERE action = 'group.add_users' AND target_label = 'crowd of imported'`,
    );
    expect(counts).toEqual({ users: 101, entries: 2 });
  });

  it('are not joined, and none is created below them, once they or a group above have roles', async () => {
    const role = await createRole(admin, 'of_imported', 'imported:read');
    const [top] = await createTree(admin, 'has power', 'inherits power');
    await admin.patch(`/api/group/${top!.id}`, { role_ids: [role.id] });
    const groups = ['/has power', '/has power/inherits power', '/has power/new below', '/new on top'];
    const users = [{ id: 'greedy', username: 'greedy', groups }];
    const dry = await imported('keycloak', users, { dryRun: true });
    const { totals, lines } = await imported('keycloak', users);
    expect(dry.totals).toEqual(totals);
    expect(lines[0]?.notes).toContain('group_left_out');
    expect(await pathsOf('greedy')).toEqual(['new on top']);
    expect((await admin.get<{ total: number }>('/api/group?keyword=new below')).body.total).toBe(0);
  });

  it('are groups of the service, also where an organization has groups of these names', async () => {
    const { id: organization_id } = await createOrganization(admin, 'with-imported');
    const top = await createGroup(admin, 'same above', { organization_id });
    const team = await createGroup(admin, 'same team', { organization_id, parent_id: top.id });
    await imported('keycloak', [{ id: 'same', username: 'same', groups: ['/same team'] }]);
    expect(await pathsOf('same')).toEqual(['same team']);
    expect((await admin.get<GroupAnswer>(`/api/group/${team.id}`)).body.member_count).toBe(0);
  });

  it('of organizations stay out of an export', async () => {
    const organization = await createOrganization(admin, 'not-exported');
    const group = await createGroup(admin, 'Not exported', { organization_id: organization.id });
    const ann = await userWith(service, admin, 'ann_not_exported');
    await addMember(admin, organization, ann);
    await joinGroup(admin, group.id, ann.id);
    const groups: unknown[] = [];
    for await (const user of service.app.get(AccountExportService).users(false)) {
      if (user.username === ann.username) groups.push(user['groups']);
    }
    expect(groups).toEqual([[]]);
  });

  it('return from an export of this service, with the same paths', async () => {
    const [, team] = await createTree(admin, 'Exported', 'Exported team');
    const ann = await userWith(service, admin, 'ann_exported');
    await joinGroup(admin, team!.id, ann.id);
    const users: { readonly username: string }[] = [];
    for await (const user of service.app.get(AccountExportService).users(false)) users.push(user);
    const exported = users.find(({ username }) => username === 'ann_exported');
    expect(exported).toMatchObject({ groups: ['/Exported/Exported team'] });
    const other = await TestService.start();
    try {
      const path = join(folder, 'own.json');
      await writeFile(path, JSON.stringify(exported));
      const { totals } = await importInto(other, 'castellan', path, { withRoles: true });
      expect(totals).toMatchObject({ made: 1 });
      expect(await pathsOf('ann_exported', other)).toEqual(['Exported/Exported team']);
    } finally {
      await other.stop();
    }
  });
});
