import { defaultRole } from '../../src/rbac/grants/rbac.settings';
import { createUser } from '../support/accounts/admin-users';
import { expectProblem } from '../support/service/expect-problem';
import { createRole, userWith } from '../support/accounts/holders';
import { stateOf, storedUser } from '../support/accounts/imports';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { ADMIN, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Outcome extends Problem {
  readonly dry_run: boolean;
  readonly made: number;
  readonly roles_given: { role: string; users: number }[];
  readonly items: {
    line: number;
    result: string;
    name: string | null;
    why?: string;
    notes: string[];
    roles_left_out?: { role: string; why: string }[];
  }[];
}

describe('POST /api/user/import', () => {
  let service: TestService;
  let admin: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    await createUser(admin, 'taken', { email: 'taken@example.com' });
  });

  const imported = (csv: unknown, { dryRun = false, by = admin } = {}): Promise<Answer<Outcome>> =>
    by.post(`/api/user/import${dryRun ? '?dry_run=true' : ''}`, { csv });

  const FILE = [
    'username,nickname,email,email_verified,phone,locale,status',
    'c_ann,安,c_ann@example.com,true,,zh,',
    'Taken,,,,,,',
    "c_bob,'=1+1,taken@example.com,true,'+8613800138111,,disabled",
    ',,,,,,',
    ',Nameless,,,,,',
    'c.dot,,no mail,,,,',
  ].join('\n');

  const EXPECTED = {
    read: 5,
    made: 3,
    merged: 0,
    unchanged: 0,
    conflict: 1,
    skipped: 1,
    roles_given: [],
    items: [
      { line: 3, result: 'conflict', name: 'Taken', why: 'username_taken', notes: [] },
      { line: 4, result: 'made', name: 'c_bob', username: 'c_bob', notes: ['contact_left_out', 'no_way_in'] },
      { line: 6, result: 'skipped', name: null, why: 'no_id', notes: [] },
      { line: 7, result: 'made', name: 'c.dot', username: 'c_dot', notes: ['renamed', 'email_invalid', 'no_way_in'] },
    ],
  };

  it('reports what would happen without writing anything, then does exactly that', async () => {
    const before = await stateOf(service);
    expect((await imported(FILE, { dryRun: true })).body).toEqual({ dry_run: true, ...EXPECTED });
    expect(await stateOf(service)).toEqual(before);

    expect((await imported(FILE)).body).toEqual({ dry_run: false, ...EXPECTED });
    expect(await storedUser(service, 'c_ann')).toMatchObject({
      nickname: '安',
      email: 'c_ann@example.com',
      email_verified: true,
      locale: 'zh',
      status: 'active',
      password_hash: null,
    });
    expect(await storedUser(service, 'c_bob')).toMatchObject({
      nickname: '=1+1',
      email: null,
      phone: '+8613800138111',
      status: 'disabled',
    });
    const [event] = await service.query(
      `SELECT actor_name, after FROM audit_event WHERE action = 'user.create' AND target_label = 'c_ann'`,
    );
    expect(event).toMatchObject({
      actor_name: ADMIN.username,
      after: { source: 'import', from: 'csv', roles: ['user'] },
    });
  });

  it('changes nothing when the file is imported again', async () => {
    const before = (await service.query('SELECT * FROM user_account ORDER BY id')) as unknown;
    expect((await imported(FILE)).body).toMatchObject({ made: 0, unchanged: 3, conflict: 1, skipped: 1 });
    expect(await service.query('SELECT * FROM user_account ORDER BY id')).toEqual(before);
  });

  it('accepts no passwords', async () => {
    const answer = await imported('username,password\nc_secret,secret');
    expect(answer.body.errors).toMatchObject([{ field: 'csv', code: 'csv_column' }]);
  });

  it('notes a nickname and a language that it leaves out', async () => {
    const { body } = await imported(
      'username,nickname,locale,email,email_verified\nc_notes,"\u2800",fr,c_notes@x.example,true',
    );
    expect(body.items).toMatchObject([{ line: 2, result: 'made', notes: ['nickname_invalid', 'locale_unknown'] }]);
    expect(await storedUser(service, 'c_notes')).toMatchObject({ nickname: '', locale: null });
  });

  it('rejects a user of two lines, and creates none', async () => {
    const answer = await imported('username\nc_first\nC_First');
    expect(answer.body.errors).toMatchObject([
      { field: 'csv', code: 'csv_repeated', detail: 'Line 3 repeats the username or e-mail address of line 2.' },
    ]);
    expect(await storedUser(service, 'c_first')).toBeUndefined();
  });

  it.each([
    [undefined, 'required'],
    [7, 'type_text'],
    ['', 'min_length'],
    ['username\n"x', 'csv_quotes'],
    ['username,nickname\nann,\uFFFD\uFFFD', 'csv_encoding'],
    [`username,roles\nann,${Array.from({ length: 101 }, (_, number) => `r${number}`).join(' ')}`, 'csv_roles'],
    [`username\n${'x\n'.repeat(501)}`, 'csv_users'],
  ])('rejects a file that cannot be read (%#)', async (csv, code) => {
    const answer = await imported(csv);
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ field: 'csv', code }]);
  });

  it('reads back an export', async () => {
    const { text } = await admin.get<string>('/api/user/export');
    const { body } = await imported(text, { dryRun: true });
    expect(body).toMatchObject({ made: 0, skipped: 0 });
  });

  it('requires user:admin', async () => {
    const outsider = await service.signUp('outsider');
    expectProblem(await imported(FILE, { by: outsider }), 403, 'permission_denied');
  });

  describe('roles', () => {
    const attemptsOf = (actorId: string, roleId: string): Promise<object[]> =>
      service.query(
        `SELECT after FROM audit_event WHERE action = 'permission.escalate' AND outcome = 'failure' AND actor_id = $1
           AND target_id = $2`,
        [actorId, roleId],
      );

    const rolesOf = async (username: string): Promise<string[]> =>
      (
        await service.query<{ name: string }>(
          `SELECT role.scope || ':' || role.name AS name FROM user_role JOIN role ON role.id = user_role.role_id
           JOIN user_account ON user_account.id = user_role.user_id WHERE username = $1 ORDER BY 1`,
          [username],
        )
      ).map(({ name }) => name);

    it('are given to new users by scope and name, or by name alone', async () => {
      await createRole(admin, 'csv_reader', 'report:read');
      await admin.post('/api/role', { name: 'csv_reader', scope: 'billing' });
      const file = 'username,roles\nc_both,csv_reader  billing:csv_reader iam:csv_reader user\nc_none,';
      expect((await imported(file)).body).toMatchObject({ made: 2, items: [{ name: 'c_both' }, { name: 'c_none' }] });
      expect(await rolesOf('c_both')).toEqual(['billing:csv_reader', 'iam:csv_reader', 'iam:user']);
      expect(await rolesOf('c_none')).toEqual(['iam:user']);
      const [event] = await service.query<{ before: unknown; after: { roles: { scope: string; name: string }[] } }>(
        `SELECT before, after FROM audit_event WHERE action = 'user.add_roles' AND target_label = 'c_both'`,
      );
      expect(event).toMatchObject({ before: { roles: [{ name: 'user' }] } });
      const after = event?.after.roles.map(({ scope, name }) => `${scope}:${name}`);
      expect(after?.sort()).toEqual(['billing:csv_reader', 'iam:csv_reader', 'iam:user']);
    });

    it('are counted before anything is written, and of lines that need no attention', async () => {
      await createRole(admin, 'csv_counted', 'report:read');
      const file = [
        'username,email,email_verified,roles',
        'c_eve,c_eve@example.com,true,admin iam:admin csv_counted',
        'c_fay,c_fay@example.com,true,csv_counted user',
      ].join('\n');
      const given = [
        { role: 'iam:admin', users: 1 },
        { role: 'iam:csv_counted', users: 2 },
      ];
      for (const dryRun of [true, false]) {
        expect((await imported(file, { dryRun })).body).toMatchObject({ made: 2, roles_given: given, items: [] });
      }
      expect(await rolesOf('c_eve')).toEqual(['iam:admin', 'iam:csv_counted', 'iam:user']);
    });

    it('are left out, and named, if they do not exist or the caller does not hold their permissions', async () => {
      const clerk = await userWith(service, admin, 'role_clerk', 'user:admin', 'role:read', 'ledger:read');
      await createRole(admin, 'csv_ledger', 'ledger:read');
      const beyond = await createRole(admin, 'csv_beyond', 'ledger:delete');
      const file = 'username,roles\nc_partly,csv_ledger csv_beyond csv_gone iam:admin';
      const refused = [
        { role: 'csv_beyond', why: 'escalation_denied' },
        { role: 'csv_gone', why: 'unknown_role' },
        { role: 'iam:admin', why: 'escalation_denied' },
      ];
      for (const dryRun of [true, false]) {
        const { body } = await imported(file, { dryRun, by: clerk.client });
        expect(body).toMatchObject({
          made: 1,
          roles_given: [{ role: 'iam:csv_ledger', users: 1 }],
          items: [{ line: 2, name: 'c_partly', roles_left_out: refused }],
        });
        expect(await attemptsOf(clerk.id, beyond.id)).toHaveLength(dryRun ? 0 : 1);
      }
      expect(await rolesOf('c_partly')).toEqual(['iam:csv_ledger', 'iam:user']);
      const lacking = [{ scope: 'iam', permission_id: 'ledger:delete' }];
      expect(await attemptsOf(clerk.id, beyond.id)).toMatchObject([{ after: { lacking } }]);
    });

    it('that do not exist look like those out of reach to a caller without role:read', async () => {
      const clerk = await userWith(service, admin, 'blind_clerk', 'user:admin');
      const file = 'username,roles\nc_blind,admin csv_nowhere';
      const { body } = await imported(file, { dryRun: true, by: clerk.client });
      expect(body.items[0]?.roles_left_out).toEqual([
        { role: 'admin', why: 'role_unavailable' },
        { role: 'csv_nowhere', why: 'role_unavailable' },
      ]);
    });

    it('of users who have an account already stay as they are', async () => {
      await createRole(admin, 'csv_late', 'report:read');
      const file = 'username,email,email_verified,roles\nc_known,c_known@example.com,true,';
      await imported(file);
      expect((await imported(`${file}csv_late`)).body).toMatchObject({ unchanged: 1, items: [] });
      const sameEmail = 'username,email,email_verified,roles\nc_other,c_known@example.com,true,csv_late';
      const leftOut = [{ role: 'csv_late', why: 'account_exists' }];
      for (const dryRun of [true, false]) {
        const { body } = await imported(sameEmail, { dryRun });
        expect(body).toMatchObject({ merged: 1, roles_given: [], items: [{ line: 2, roles_left_out: leftOut }] });
      }
      expect(await rolesOf('c_known')).toEqual(['iam:user']);
    });

    it('of an export return with its users', async () => {
      await createRole(admin, 'csv_back', 'report:read');
      await imported('username,roles\nc_back,csv_back');
      const { text } = await admin.get<string>('/api/user/export?keyword=c_back');
      const row = text.split('\r\n').find((line) => line.includes('c_back')) ?? '';
      expect(row).toContain('iam:csv_back iam:user');
      const again = `${text.split('\r\n')[0]}\r\n${row.replace('c_back', 'c_again')}\r\n`;
      expect((await imported(again)).body).toMatchObject({ made: 1 });
      expect(await rolesOf('c_again')).toEqual(['iam:csv_back', 'iam:user']);
    });
  });

  describe('the default role', () => {
    const runs = [{ dryRun: true }, { dryRun: false }];

    afterEach(() => service.set(defaultRole, defaultRole.defaultValue));

    it('is given only by a caller who holds its permissions', async () => {
      const clerk = await userWith(service, admin, 'import_clerk', 'user:admin');
      const staff = await createRole(admin, 'staff', 'billing:admin');
      await service.set(defaultRole, 'staff');
      const file = 'username,email,email_verified\nc_second_self,clerk@example.com,true';
      for (const run of runs) {
        const before = await service.query('SELECT id FROM user_account ORDER BY id');
        expectProblem(await imported(file, { ...run, by: clerk.client }), 403, 'escalation_denied');
        expect(await service.query('SELECT id FROM user_account ORDER BY id')).toEqual(before);
      }
      const attempts = await service.query(
        `SELECT actor_id, target_id, after FROM audit_event WHERE action = 'permission.escalate' AND actor_id = $1`,
        [clerk.id],
      );
      const attempt = {
        actor_id: clerk.id,
        target_id: staff.id,
        after: { lacking: [{ scope: 'iam', permission_id: 'billing:admin' }] },
      };
      expect(attempts).toMatchObject([attempt, attempt]);
      for (const run of runs) {
        expect((await imported('username\ntaken', { ...run, by: clerk.client })).body).toMatchObject({ conflict: 1 });
        expect((await imported(file, run)).body).toMatchObject({ made: 1 });
      }
    });

    it('is missed before anything is written', async () => {
      await service.set(defaultRole, 'nobody_made_it');
      for (const run of runs) {
        const before = await stateOf(service);
        expectProblem(await imported('username\nc_without_role', run), 500, 'default_role_unavailable');
        expect(await stateOf(service)).toEqual(before);
      }
    });
  });
});
