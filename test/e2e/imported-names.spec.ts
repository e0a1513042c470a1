import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsersApi } from '../../src/host-api/users.api';
import { expectProblem } from '../support/service/expect-problem';
import { Imported, importInto, storedUser } from '../support/accounts/imports';
import { Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Listed {
  readonly items: readonly {
    readonly id: string;
    readonly username: string;
    readonly former_username: string | null;
  }[];
}

const KEYCLOAK_HASH = '$2b$04$EILJZtOSlKZ4wdy6C7yCweeZXce//e15YLB67ODMh0WWRLwm7tv.C';
const OLD_PASSWORD = 'secret';
const CREDENTIALS = [{ type: 'password', secretData: JSON.stringify({ value: KEYCLOAK_HASH }) }];

describe('the name of an imported user', () => {
  let service: TestService;
  let admin: TestClient;
  let folder: string;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    folder = await mkdtemp(join(tmpdir(), 'castellan-names-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  const imported = async (from: string, users: readonly object[], dryRun = false): Promise<Imported> => {
    const path = join(folder, 'users.json');
    await writeFile(path, JSON.stringify(from === 'auth0' || from === 'castellan' ? users : { users }));
    return importInto(service, from, path, { dryRun });
  };

  const keycloakUser = (id: string, username: string, more: object = {}): object => ({
    id,
    username,
    credentials: CREDENTIALS,
    ...more,
  });

  const logIn = (username: string, password = OLD_PASSWORD) =>
    service
      .client()
      .post<{ user: { username: string } } & Problem>('/api/auth/login', { type: 'password', username, password });

  const find = async (keyword: string): Promise<Listed['items']> =>
    (await admin.get<Listed>(`/api/user?keyword=${encodeURIComponent(keyword)}`)).body.items;

  it.each([
    ['keycloak', keycloakUser('k1', 'first.last1'), 'first.last1', 'first_last1'],
    ['keycloak', keycloakUser('k2', 'user3@example.com', { email: 'user3@example.com' }), 'user3@example.com', 'user3'],
    ['keycloak', keycloakUser('k3', '王小明'), '王小明', undefined],
    ['keycloak', keycloakUser('k4', '20190423'), '20190423', 'user_20190423'],
    [
      'casdoor',
      { owner: 'built-in', name: 'jean-luc', password: OLD_PASSWORD, passwordType: 'plain' },
      'jean-luc',
      'jean_luc',
    ],
    [
      'auth0',
      { user_id: 'auth0|2', email: 'a0user2@example.net', email_verified: false, passwordHash: KEYCLOAK_HASH },
      'a0user2@example.net',
      'a0user2',
    ],
    [
      'castellan',
      { id: 'c1', username: 'carl', former_username: 'carl.the.first', password_hash: KEYCLOAK_HASH },
      'carl.the.first',
      'carl',
    ],
  ])('of %s logs in as before', async (from, user, former, username) => {
    const { totals } = await imported(from, [user]);
    expect(totals).toMatchObject({ made: 1, cannot_log_in: 0 });
    const spellings = [former, ` ${former.toUpperCase()}\u200b`, former.normalize('NFD'), former.replace('@', '＠')];
    for (const typed of spellings) {
      const { status, body } = await logIn(typed);
      expect([typed, status]).toEqual([typed, 200]);
      if (username !== undefined) expect(body.user.username).toBe(username);
    }
    expect(await find(former)).toEqual([expect.objectContaining({ former_username: former })]);
  });

  it('logs in also if the password came with a later file', async () => {
    const user = { user_id: 'auth0|late', email: 'late@example.net', email_verified: false };
    expect((await imported('auth0', [user])).totals).toMatchObject({
      made: 1,
      cannot_log_in: 1,
      notes: { no_way_in: 1 },
    });
    const { totals } = await imported('auth0', [{ ...user, passwordHash: KEYCLOAK_HASH }]);
    expect(totals).toMatchObject({ completed: 1, cannot_log_in: 0, notes: {} });
    expect((await logIn('late@example.net')).status).toBe(200);
  });

  it('is not kept where the username or a verified contact is the same', async () => {
    await imported('keycloak', [
      keycloakUser('same1', 'Same_One'),
      keycloakUser('same2', 'same2@example.com', { email: 'Same2@example.com', emailVerified: true }),
    ]);
    expect(await storedUser(service, 'Same_One')).toMatchObject({ former_username: null });
    expect(await storedUser(service, 'same2')).toMatchObject({ former_username: null });
    expect((await logIn('same2@example.com')).status).toBe(200);
  });

  describe('that another account has', () => {
    it('is lost and noted, in a dry run as in an import', async () => {
      await service.register('holder', { email: 'holder@example.com', phone: '+8613812340001' });
      const users = [
        keycloakUser('t1', 'twin.one'),
        keycloakUser('t2', 'TWIN.ONE'),
        keycloakUser('t3', 'holder@example.com'),
        keycloakUser('t4', '13812340001'),
        keycloakUser('t5', 'x'.repeat(260)),
      ];
      const rehearsed = await imported('keycloak', users, true);
      const { totals, lines } = await imported('keycloak', users);
      expect(totals).toMatchObject({ made: 5, cannot_log_in: 4, notes: { login_name_lost: 4, renamed: 5 } });
      expect(rehearsed.totals).toEqual(totals);
      const lost = lines.filter(({ notes }) => notes?.includes('login_name_lost'));
      expect(lost.map(({ source_id: id }) => id)).toEqual(['t2', 't3', 't4', 't5']);
      expect((await logIn('twin.one')).body.user.username).toBe('twin_one');
      expect((await logIn('holder@example.com')).status).toBe(401);
    });

    it('is lost and noted also if the password comes with a later file', async () => {
      const user = { user_id: 'auth0|lost', email: 'holder@example.com', email_verified: false };
      await imported('auth0', [user]);
      const { totals } = await imported('auth0', [{ ...user, passwordHash: KEYCLOAK_HASH }]);
      expect(totals).toMatchObject({ completed: 1, cannot_log_in: 1, notes: { login_name_lost: 1 } });
    });

    it('finds the other account once that has verified it', async () => {
      await imported('keycloak', [keycloakUser('w1', 'winner@example.com')]);
      expect((await logIn('winner@example.com')).body.user.username).toBe('winner');
      const body = { username: 'real_winner', password: PASSWORD, email: 'winner@example.com', email_verified: true };
      expect((await admin.post('/api/user', body)).status).toBe(201);
      expectProblem(await logIn('winner@example.com'), 401, 'invalid_credentials');
      expect((await logIn('winner@example.com', PASSWORD)).body.user.username).toBe('real_winner');
      expect((await logIn('winner')).status).toBe(200);
    });
  });

  it('is never an address: codes are not sent to it, and code of a host does not find it', async () => {
    await imported('keycloak', [keycloakUser('a1', 'boss@example.com')]);
    const users = service.app.get(UsersApi, { strict: false });
    expect(await users.find('boss@example.com')).toBeUndefined();
    expect(await storedUser(service, 'boss')).toMatchObject({ email: null, former_username: 'boss@example.com' });
  });

  describe('as the new username of another user', () => {
    beforeAll(async () => {
      // As a directory may keep it: names that imports keep are never usernames.
      await imported('keycloak', [keycloakUser('u1', 'kept.name')]);
      await service.query(
        `UPDATE user_account SET former_username = 'Kept', former_username_key = 'kept' WHERE username = 'kept_name'`,
      );
    });

    it('is taken for a registration', async () => {
      const answer = await service
        .client()
        .post<Problem>('/api/auth/register', { username: 'KEPT', password: PASSWORD });
      expectProblem(answer, 409, 'username_taken');
    });

    it('is taken for administrators, who may give it to its user', async () => {
      expectProblem(await admin.post<Problem>('/api/user', { username: 'kept' }), 409, 'username_taken');
      const other = await admin.post<{ id: string }>('/api/user', { username: 'not_kept' });
      const renamed = await admin.patch<Problem>(`/api/user/${other.body.id}`, { username: 'Kept' });
      expectProblem(renamed, 409, 'username_taken');
      const [own] = await find('kept_name');
      expect((await admin.patch(`/api/user/${own?.id}`, { username: 'kept' })).status).toBe(200);
    });

    it('is taken for a later import', async () => {
      await service.query(`UPDATE user_account SET username = 'kept_name' WHERE username = 'kept'`);
      const { lines } = await imported('keycloak', [keycloakUser('u2', 'kept')]);
      expect(lines).toEqual([expect.objectContaining({ result: 'conflict', why: 'username_taken' })]);
    });
  });

  it('ends when an administrator removes it, and nobody can set one', async () => {
    await imported('keycloak', [keycloakUser('r1', 'remove.me')]);
    const [user] = await find('remove.m');
    expectProblem(
      await admin.patch<Problem>(`/api/user/${user?.id}`, { former_username: 'other' }),
      400,
      'validation_failed',
    );
    const { status, body } = await admin.patch<object>(`/api/user/${user?.id}`, { former_username: null });
    expect([status, body]).toEqual([200, expect.objectContaining({ former_username: null })]);
    expectProblem(await logIn('remove.me'), 401, 'invalid_credentials');
    const [event] = await service.query(
      `SELECT before, after FROM audit_event WHERE action = 'user.update' AND target_label = 'remove_me'`,
    );
    expect(event).toEqual({ before: { former_username: 'remove.me' }, after: { former_username: null } });
  });

  it('is free again after its user is deleted', async () => {
    await imported('keycloak', [keycloakUser('d1', 'gone.one')]);
    const [user] = await find('gone.one');
    expect((await admin.delete(`/api/user/${user?.id}`)).status).toBe(204);
    expectProblem(await logIn('gone.one'), 401, 'invalid_credentials');
    await imported('keycloak', [keycloakUser('d2', 'gone.one')]);
    expect((await logIn('gone.one')).status).toBe(200);
  });

  it('counts as the same account for the lockout', async () => {
    await imported('keycloak', [keycloakUser('l1', 'lock.me')]);
    for (let attempt = 0; attempt < 10; attempt += 1) await logIn(attempt % 2 ? 'lock.me' : 'lock_me', 'wrong');
    expectProblem(await logIn('lock.me'), 429, 'account_locked');
    expectProblem(await logIn('lock_me'), 429, 'account_locked');
  });

  it('stands in the export for spreadsheets and in that of the command', async () => {
    await imported('keycloak', [keycloakUser('e1', 'ex.ported')]);
    const { text } = await admin.get('/api/user/export?keyword=ex.ported');
    const [head = '', line = ''] = text.replace('\uFEFF', '').split('\r\n');
    expect(line.split(',')[head.split(',').indexOf('former_username')]).toBe('ex.ported');
    const { body } = await admin.post<{ items: object[] }>('/api/user/import?dry_run=true', { csv: text });
    expect(body.items).toEqual([expect.objectContaining({ result: 'conflict' })]);
  });
});
