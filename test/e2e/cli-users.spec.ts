import { eventsOfOperator } from '../support/documents/command-audit';
import { Keyboard, Ran, typedAt, typedOn, untilEnded } from '../support/service/command-line';
import { eventually } from '../support/service/eventually';
import { signUpEnrolled } from '../support/accounts/second-factors';
import { ADMIN, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const OPERATOR_ID = '00000000-0000-0000-0000-000000000000';

interface ShownUser {
  readonly id: string;
  readonly username: string;
  readonly status: string;
  readonly email: string | null;
  readonly email_verified: boolean;
  readonly must_change_password: boolean;
  readonly has_password: boolean;
  readonly roles: string[];
  readonly password?: string;
}

describe('commands of users', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  const run = (line: string, keyboard?: Keyboard): Promise<Ran> => typedOn(service, line, keyboard);
  const runApart = (line: string, keyboard?: Keyboard): Promise<Ran> => typedAt(service.database, line, keyboard);

  async function data<T>(line: string): Promise<T> {
    const { code, out, err } = await run(`${line} --json`);
    expect([code, err]).toEqual([0, '']);
    expect(out.endsWith('\n')).toBe(true);
    return JSON.parse(out) as T;
  }

  const show = (name: string): Promise<ShownUser> => data(`user show ${name}`);

  describe('user create', () => {
    it('creates a user with roles, contacts and a password from standard input', async () => {
      const line = 'user create cli_ann --email Ann@example.com --verified --role user --permanent';
      const { code, out, err } = await runApart(line, { input: PASSWORD });
      expect([code, err]).toEqual([0, '']);
      const ann = await show('ann@example.com');
      expect(out).toBe(`Created cli_ann (${ann.id}).\n`);
      expect(ann).toMatchObject({ email_verified: true, must_change_password: false, roles: ['user'] });
      await service.logIn('cli_ann');
      const events = await eventsOfOperator(service, ann.id);
      expect(events.map(({ action }) => action)).toEqual(['user.create', 'user.add_roles']);
      expect(events[0]).toMatchObject({ outcome: 'success', actor_id: OPERATOR_ID });
    });

    it('prints a generated password once, which must be changed', async () => {
      const made = await data<ShownUser>('user create cli_bob --generate-password');
      expect(made).toMatchObject({ username: 'cli_bob', must_change_password: true });
      await service.logIn('cli_bob', made.password);
      expect(await show('cli_bob')).not.toHaveProperty('password');
      const stored = await service.query(`SELECT * FROM audit_event WHERE target_id = $1`, [made.id]);
      expect(JSON.stringify(stored)).not.toContain(made.password);
    });

    it('creates a user without a password', async () => {
      expect(await data<ShownUser>('user create cli_cid --no-password')).toMatchObject({ has_password: false });
    });

    it.each([
      ['user create a --no-password', 2, '  USERNAME: Too short'],
      ['user create cli_dan --no-password --email no', 2, '  --email: Must be one e-mail address'],
      ['user create cli_dan --no-password --phone 1', 2, '  --phone: Must be a valid phone number'],
      ['user create cli_dan --no-password --role nothing', 1, 'There is no role "nothing".'],
      ['user create admin --no-password', 1, 'already taken'],
      ['user create cli_dan', 1, '  password: Too short'],
    ])('rejects "%s" with %d', async (line, expected, reason) => {
      const { code, out, err } = await run(line, { input: 'short' });
      expect([code, out]).toEqual([expected, '']);
      expect(err).toContain(reason);
      expect((await run('user show cli_dan')).code).toBe(1);
    });
  });

  describe('user list and user show', () => {
    it('lists page by page with a cursor', async () => {
      await service.register('list_one');
      await service.register('list_two');
      await service.register('list_three');
      const first = await data<{ items: ShownUser[]; next_cursor: string }>('user list --keyword list_ --limit 2');
      expect(first.items.map(({ username }) => username)).toEqual(['list_three', 'list_two']);
      const next = `user list --keyword list_ --limit 2 --cursor ${first.next_cursor}`;
      const second = await data<{ items: ShownUser[]; next_cursor: null }>(next);
      expect(second.items.map(({ username }) => username)).toEqual(['list_one']);
      expect(second.next_cursor).toBeNull();

      const { out } = await runApart('user list --keyword list_ --limit 2');
      const lines = out.trim().split('\n');
      expect(lines[0]).toBe(`${first.items[0]!.id}\tlist_three\tactive\t-\t-`);
      expect(lines[2]).toBe(`More with --cursor ${first.next_cursor}`);
    });

    it('filters by role and status', async () => {
      const { items } = await data<{ items: ShownUser[] }>('user list --role admin --status active');
      expect(items.map(({ username }) => username)).toEqual([ADMIN.username]);
      expect(await data('user list --role admin --status disabled')).toEqual({ items: [], next_cursor: null });
    });

    it('filters by second factor', async () => {
      expect(await data('user list --second-factor true')).toEqual({ items: [], next_cursor: null });
      const { items } = await data<{ items: ShownUser[] }>('user list --role admin --second-factor false');
      expect(items.map(({ username }) => username)).toEqual([ADMIN.username]);
    });

    it.each([
      ['user list --second-factor yes', 2, '--second-factor must be one of true, false'],
      ['user list --cursor stale', 2, '  --cursor: This cursor does not belong to this list'],
      ['user list --role nothing', 1, 'There is no role "nothing".'],
      ['user show nothing', 1, 'There is no user "nothing".'],
      ['user show 01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4', 1, 'There is no user "01980c6e'],
      ['user sessions nothing', 1, 'There is no user "nothing".'],
    ])('ends "%s" with %d', async (line, expected, reason) => {
      const { code, out, err } = await run(line);
      expect([code, out]).toEqual([expected, '']);
      expect(err).toContain(reason);
    });

    it('shows a user by id, one field a line', async () => {
      const { id } = await show(ADMIN.username);
      const { out } = await runApart(`user show ${id}`);
      expect(out).toContain(`id\t${id}\n`);
      expect(out).toContain('username\tadmin\n');
      expect(out).toContain('email\t-\n');
      expect(out).toContain('roles\tadmin, user\n');
    });
  });

  describe('user disable, enable and delete', () => {
    it('disables a user, ends the sessions, and enables the user again', async () => {
      const eve = await service.signUp('cli_eve');
      expect(await runApart('user disable cli_eve --yes')).toEqual({ code: 0, out: 'cli_eve is disabled.\n', err: '' });
      await untilEnded(eve);
      const { id, status } = await show('cli_eve');
      expect(status).toBe('disabled');
      expect(JSON.parse((await runApart('user enable cli_eve --json')).out)).toMatchObject({ status: 'active' });
      await service.logIn('cli_eve');
      const events = await eventsOfOperator(service, id);
      expect(events.map(({ action }) => action)).toEqual(['session.revoke_all', 'user.update', 'user.update']);
      expect(events.map(({ after }) => after)).toMatchObject([
        { revoked: 1, session_ids: [expect.any(String)] },
        { status: 'disabled' },
        { status: 'active' },
      ]);
    });

    it('deletes a user, and the audit keeps the act', async () => {
      await service.register('cli_fay');
      const { id } = await show('cli_fay');
      expect(await data('user delete cli_fay --yes')).toEqual({ id, username: 'cli_fay', deleted: true });
      expect((await run('user show cli_fay')).code).toBe(1);
      expect(await eventsOfOperator(service, id)).toMatchObject([{ action: 'user.delete', outcome: 'success' }]);
    });

    it.each(['user disable admin --yes', 'user delete admin --yes', 'role revoke admin admin'])(
      'refuses "%s" for the last administrator',
      async (line) => {
        const { code, out, err } = await run(line);
        expect([code, out]).toEqual([1, '']);
        expect(err).toContain('At least one administrator must remain.');
        await service.admin();
      },
    );

    it('asks before it deletes, and refuses without a terminal', async () => {
      await service.register('cli_gus');
      const unasked = await run('user delete cli_gus');
      expect(unasked).toMatchObject({ code: 1, out: '' });
      expect(unasked.err).toBe('"user delete" needs a confirmation: run it in a terminal, or add --yes.\n');
      const denied = await run('user delete cli_gus', { answer: 'n' });
      expect(denied).toMatchObject({ code: 1, out: '' });
      expect(denied.err).toContain('Delete cli_gus with all data of the user? This cannot be undone. [y/N] ');
      expect((await show('cli_gus')).status).toBe('active');
      expect(await runApart('user delete cli_gus', { answer: 'yes' })).toMatchObject({
        code: 0,
        out: 'Deleted cli_gus.\n',
      });
    });
  });

  describe('user reset-password and reset-mfa', () => {
    it('replaces the password and ends the sessions', async () => {
      const hal = await service.signUp('cli_hal');
      const { code } = await runApart('user reset-password cli_hal --yes', { input: 'five words of other kinds' });
      expect(code).toBe(0);
      await untilEnded(hal);
      await service.logIn('cli_hal', 'five words of other kinds');
      const { id, must_change_password: mustChange } = await show('cli_hal');
      expect(mustChange).toBe(true);
      expect((await eventsOfOperator(service, id)).map(({ action }) => action)).toContain('password.set');
    });

    it('generates a password that need not be changed', async () => {
      await service.register('cli_ida');
      const line = 'user reset-password cli_ida --generate-password --permanent --yes';
      const { password } = await data<ShownUser>(line);
      await service.logIn('cli_ida', password);
      expect((await show('cli_ida')).must_change_password).toBe(false);
    });

    it('rejects a weak password and keeps the old one', async () => {
      await service.register('cli_jon');
      const { code, err } = await run('user reset-password cli_jon --yes', { input: 'short' });
      expect([code, err]).toEqual([1, expect.stringContaining('  new_password: Too short')]);
      await service.logIn('cli_jon');
    });

    it('removes the second factors and ends the sessions', async () => {
      const { client } = await signUpEnrolled(service, 'cli_kim');
      const { id } = await show('cli_kim');
      const { out } = await runApart('user reset-mfa cli_kim --yes --json');
      expect(JSON.parse(out)).toEqual({ id, username: 'cli_kim' });
      await untilEnded(client);
      // Without a second factor, as soon as the running service knows.
      await eventually(() => service.logIn('cli_kim').then(Boolean, () => false), Boolean, 2);
      const actions = (await eventsOfOperator(service, id)).map(({ action }) => action);
      expect(actions).toEqual(['user.reset_mfa', 'session.revoke_all']);
    });
  });

  it('lists the sessions of a user', async () => {
    await service.signUp('cli_leo');
    await service.logIn('cli_leo');
    const { items } = await data<{ items: { id: string; login_method: string; current: boolean }[] }>(
      'user sessions cli_leo',
    );
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({ login_method: 'password', current: false });
    const { out } = await runApart('user sessions cli_leo');
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(items.map(({ id }) => id));
  });

  it('lists the sessions of a user page by page', async () => {
    await service.signUp('cli_mia');
    for (let login = 0; login < 2; login++) await service.logIn('cli_mia');
    type Page = { items: { id: string }[]; next_cursor: string | null };
    const ids = ({ items }: Page): string[] => items.map(({ id }) => id);
    const all = await data<Page>('user sessions cli_mia');
    expect([all.items.length, all.next_cursor]).toEqual([3, null]);
    const first = await data<Page>('user sessions cli_mia --limit 2');
    expect(ids(first)).toEqual(ids(all).slice(0, 2));
    const last = await data<Page>(`user sessions cli_mia --cursor ${first.next_cursor}`);
    expect([ids(last), last.next_cursor]).toEqual([ids(all).slice(2), null]);
    const { out } = await run('user sessions cli_mia --limit 2');
    expect(out.split('\n').slice(2)).toEqual([`More with --cursor ${first.next_cursor}`, '']);
  });

  it('lists the administrators', async () => {
    const { items } = JSON.parse((await runApart('admin list --json')).out) as { items: ShownUser[] };
    expect(items.map(({ username }) => username)).toEqual([ADMIN.username]);
  });
});
