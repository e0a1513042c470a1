import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transactions } from '../../src/platform/database';
import { ImportWriterService } from '../../src/import-export/import-writer.service';
import { expectProblem } from '../support/service/expect-problem';
import { exportOf, Imported, importInto, stateOf, storedUser } from '../support/accounts/imports';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('import', () => {
  let service: TestService;
  let folder: string;

  withService(async (started) => {
    service = started;
    folder = await mkdtemp(join(tmpdir(), 'castellan-import-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  const imported = (from: string, path: string, options = {}): Promise<Imported> =>
    importInto(service, from, path, options);

  const stored = (username: string): ReturnType<typeof storedUser> => storedUser(service, username);

  const rolesOf = async (username: string): Promise<string[]> => {
    const rows = await service.query<{ role: string }>(
      `SELECT role.scope || '/' || role.name AS role FROM user_role JOIN role ON role.id = role_id
       JOIN user_account ON user_account.id = user_id WHERE username = $1 ORDER BY 1`,
      [username],
    );
    return rows.map(({ role }) => role);
  };

  /** Logs in with the old password and expects that its hash was replaced. */
  const expectTakenOver = async (username: string, password: string): Promise<void> => {
    const before = (await stored(username))?.['password_hash'] as string;
    const wrong = { type: 'password', username, password: 'not it' };
    expectProblem(await service.client().post('/api/auth/login', wrong), 401, 'invalid_credentials');
    expect((await stored(username))?.['password_hash']).toBe(before);
    await service.logIn(username, password);
    const after = await stored(username);
    expect(after?.['password_hash']).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
    expect(after?.['password_version']).toBe(1);
    await service.logIn(username, password);
  };

  describe('from Keycloak', () => {
    it('reports the result of a dry run and changes nothing', async () => {
      const before = await stateOf(service);
      const { totals } = await imported('keycloak', exportOf('keycloak-realm.json'), { dryRun: true, withRoles: true });
      expect(totals).toMatchObject({ read: 8, made: 6, conflict: 1, skipped: 1 });
      expect(await stateOf(service)).toEqual(before);
    });

    it('imports users, contacts and roles, and reports lines that need attention', async () => {
      const { lines, totals } = await imported('keycloak', exportOf('keycloak-realm.json'), { withRoles: true });
      expect(totals).toEqual({
        read: 8,
        made: 6,
        merged: 0,
        completed: 0,
        unchanged: 0,
        conflict: 1,
        skipped: 1,
        cannot_log_in: 1,
        notes: {
          renamed: 1,
          role_left_out: 1,
          email_invalid: 1,
          phone_invalid: 1,
          password_unusable: 1,
          no_way_in: 1,
        },
      });
      expect(lines).toEqual([
        expect.objectContaining({ result: 'skipped', why: 'service_account', name: 'service-account-app' }),
        expect.objectContaining({ result: 'made', username: 'kc_argon2', notes: ['renamed', 'role_left_out'] }),
        expect.objectContaining({ username: 'kc_odd' }),
        expect.objectContaining({ result: 'conflict', name: 'KC_SHA256', why: 'username_taken' }),
      ]);
      expect(await stored('kc_sha512')).toMatchObject({
        nickname: 'Kay Cee',
        email: 'Kay@Keycloak.example',
        email_key: 'kay@keycloak.example',
        email_verified: true,
        phone: '+8613812345601',
        phone_verified: true,
        locale: 'zh',
        status: 'active',
        created_at: new Date(1699281486619),
      });
      expect(await stored('kc_disabled')).toMatchObject({ status: 'disabled' });
    });

    it('assigns the default role, and creates imported roles without permissions', async () => {
      expect(await rolesOf('kc_sha512')).toEqual(['iam/user', 'keycloak/default-roles-demo', 'keycloak/editor']);
      // The imported role `admin` has no permissions here.
      expect(await rolesOf('kc_argon2')).toEqual(['iam/user']);
      expect(
        await service.query(`SELECT 1 FROM role_grant JOIN role ON role.id = role_id WHERE role.scope = 'keycloak'`),
      ).toEqual([]);
    });

    it.each([
      ['kc_sha512', 'keycloak password 1'],
      ['kc_argon2', 'secret'],
      ['kc_old_sha1', 'keycloak password 4'],
    ])('logs %s in with the old password and rehashes it as argon2id', expectTakenOver);

    it('requires a new password where Keycloak required one', async () => {
      await expectTakenOver('kc_sha256', 'keycloak password 2');
      const client = await service.logIn('kc_sha256', 'keycloak password 2');
      expectProblem(await client.get<{ code: string }>('/api/auth/sessions'), 403, 'password_change_required');
    });

    it('rejects the login of a disabled user', async () => {
      const login = { type: 'password', username: 'kc_disabled', password: 'keycloak password 5' };
      expectProblem(await service.client().post('/api/auth/login', login), 403, 'user_disabled');
      expect((await stored('kc_disabled'))?.['password_hash']).toMatch(/^\$pbkdf2-sha256\$/);
    });

    it('records each imported user in the audit', async () => {
      const [event] = await service.query(
        `SELECT action, outcome, after FROM audit_event WHERE target_label = 'kc_sha512' AND action = 'user.create'`,
      );
      expect(event).toMatchObject({
        outcome: 'success',
        after: {
          source: 'import',
          from: 'keycloak',
          roles: ['user'],
          imported_roles: ['default-roles-demo', 'editor'],
        },
      });
      expect(JSON.stringify(event)).not.toContain('$pbkdf2');
    });

    it('records each created role in the audit', async () => {
      const roles = await service.query(
        `SELECT target_label AS name, after -> 'permissions' AS permissions, reason FROM audit_event
         WHERE action = 'role.create' ORDER BY target_label`,
      );
      const made = { permissions: [], reason: 'import' };
      expect(roles).toEqual([
        { name: 'default-roles-demo', ...made },
        { name: 'editor', ...made },
      ]);
    });

    it('changes nothing on a second run', async () => {
      const before = await stateOf(service);
      const { totals } = await imported('keycloak', exportOf('keycloak-realm.json'), { withRoles: true });
      expect(totals).toMatchObject({ made: 0, merged: 0, completed: 0, unchanged: 6, conflict: 1, skipped: 1 });
      expect(await stateOf(service)).toEqual(before);
    });

    it('does not assign a role that has received permissions since', async () => {
      const admin = await service.admin();
      const { body } = await admin.get<{ items: { id: string; name: string }[] }>('/api/role?scope=keycloak');
      const editor = body.items.find(({ name }) => name === 'editor');
      await admin.patch(`/api/role/${editor?.id ?? ''}`, { add: [{ permission_id: 'article:update' }] });
      const path = join(folder, 'late.json');
      await writeFile(path, JSON.stringify({ users: [{ id: 'late', username: 'kc_late', realmRoles: ['editor'] }] }));
      const { lines } = await imported('keycloak', path, { withRoles: true });
      expect(lines[0]?.notes).toContain('role_left_out');
      expect(await rolesOf('kc_late')).toEqual(['iam/user']);
    });
  });

  describe('from Casdoor', () => {
    it('imports every kind of password it can verify and marks the weak ones', async () => {
      const { totals, lines } = await imported('casdoor', exportOf('casdoor-dump.json'), { withRoles: true });
      expect(totals).toMatchObject({
        read: 9,
        made: 8,
        skipped: 1,
        notes: { weak_password_hash: 2, password_unusable: 1 },
      });
      expect(lines).toContainEqual(expect.objectContaining({ name: 'cd_gone', why: 'deleted_there' }));
      expect((await stored('cd_md5'))?.['password_hash']).toMatch(/^\$weak-md5\$/);
      expect(await stored('cd_md5')).toMatchObject({ phone: '+8613812345602', phone_verified: false });
      expect((await stored('cd_plain'))?.['password_hash']).toMatch(/^\$argon2id\$/);
      expect(await rolesOf('cd_md5')).toEqual(['casdoor/editor', 'iam/user']);
    });

    it.each([
      ['cd_md5', 'casdoor password 1'],
      ['cd_bcrypt', 'casdoor password 2'],
      ['cd_sha256', 'casdoor password 4'],
      ['cd_plain', 'casdoor password 5'],
      ['cd_argon2', 'casdoor password 6'],
      ['cd_django', 'casdoor password 7'],
    ])('logs %s in with the old password and rehashes it as argon2id', expectTakenOver);

    it('changes nothing on a second run', async () => {
      const before = await stateOf(service);
      expect((await imported('casdoor', exportOf('casdoor-dump.json'), { withRoles: true })).totals).toMatchObject({
        unchanged: 8,
        skipped: 1,
      });
      expect(await stateOf(service)).toEqual(before);
    });
  });

  it('requires a new password also for a user whose old one came with a later file', async () => {
    const path = join(folder, 'later.json');
    const user = { owner: 'built-in', name: 'cd_later', needUpdatePassword: true };
    const write = (more: object): Promise<void> => writeFile(path, JSON.stringify({ users: [{ ...user, ...more }] }));
    await write({ password: '***' });
    expect((await imported('casdoor', path)).totals).toMatchObject({ made: 1, notes: { no_way_in: 1 } });
    await write({ password: 'casdoor password 9', passwordType: 'plain' });
    expect((await imported('casdoor', path)).totals).toMatchObject({ completed: 1 });
    const client = await service.logIn('cd_later', 'casdoor password 9');
    expectProblem(await client.get<{ code: string }>('/api/auth/sessions'), 403, 'password_change_required');
  });

  it.each([
    ['has logged in', 'last_login_at = now()'],
    ['has set a password', 'password_version = 2'],
  ])('ignores the password of a later file for a user who %s', async (_, happened) => {
    const path = join(folder, 'owned.ndjson');
    const user = { user_id: `auth0|${happened}`, username: `owned_${happened.length}` };
    await writeFile(path, JSON.stringify(user));
    expect((await imported('auth0', path)).totals).toMatchObject({ made: 1 });
    await service.query(`UPDATE user_account SET ${happened} WHERE username = $1`, [user.username]);
    await writeFile(path, JSON.stringify({ ...user, passwordHash: '$2b$10$'.padEnd(60, 'a') }));
    expect((await imported('auth0', path)).totals).toMatchObject({ completed: 0, unchanged: 1 });
    expect(await stored(user.username)).toMatchObject({ password_hash: null });
  });

  describe('from Auth0', () => {
    it('imports users first, and passwords with the export of hashes', async () => {
      const users = await imported('auth0', exportOf('auth0-users.ndjson'));
      expect(users.totals).toMatchObject({ read: 3, made: 3, notes: { no_way_in: 1 } });
      const hashes = await imported('auth0', exportOf('auth0-password-hashes.ndjson'));
      expect(hashes.totals).toMatchObject({ read: 3, made: 1, completed: 2 });
      expect((await stored('ann'))?.['password_version']).toBe(2);
      expect(await stored('euclid')).toMatchObject({ status: 'disabled' });
      await service.logIn('ann@auth0.example', 'auth0 password 1');
      await service.logIn('new', 'auth0 password 3');
      expect((await stored('ann'))?.['password_hash']).toMatch(/^\$argon2id\$/);
    });

    it('leaves users who have set a password since unchanged and reports them', async () => {
      const path = join(folder, 'slow.ndjson');
      const slow = { user_id: 'auth0|slow', username: 'slow_one' };
      await writeFile(path, JSON.stringify(slow));
      await imported('auth0', path);
      await writeFile(path, JSON.stringify({ ...slow, passwordHash: '$2b$10$'.padEnd(60, 'a') }));
      const { write } = ImportWriterService.prototype;
      const writing = jest.spyOn(ImportWriterService.prototype, 'write').mockImplementation(async function (
        this: ImportWriterService,
        ...given
      ) {
        const { manager } = service.app.get(Transactions, { strict: false });
        await manager.query(`UPDATE user_account SET password_hash = 'own' WHERE username = 'slow_one'`);
        return write.apply(this, given);
      });
      expect((await imported('auth0', path)).totals).toMatchObject({ completed: 0, unchanged: 1 });
      writing.mockRestore();
      expect(await stored('slow_one')).toMatchObject({ password_hash: 'own', password_version: 1 });
      const reported = await service.query(
        `SELECT 1 FROM audit_event WHERE action = 'user.update' AND target_label = 'slow_one'`,
      );
      expect(reported).toEqual([]);
    });

    it('changes nothing on a second run with either file', async () => {
      const before = await stateOf(service);
      for (const file of ['auth0-users.ndjson', 'auth0-password-hashes.ndjson']) {
        expect((await imported('auth0', exportOf(file))).totals).toMatchObject({ unchanged: 3 });
      }
      expect(await stateOf(service)).toEqual(before);
    });

    it('imports a bulk import file and reports a hash it cannot verify', async () => {
      const { totals } = await imported('auth0', exportOf('auth0-bulk-import.json'));
      expect(totals).toMatchObject({ made: 2, notes: { password_unusable: 1 } });
      await service.logIn('bulk1', 'auth0 password 4');
    });
  });
});
