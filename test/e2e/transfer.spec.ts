import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountExportService, AccountImportService, foreignSources, UnreadableFile } from '../../src/import-export';
import { OPERATOR } from '../../src/platform/context';
import { defaultRole } from '../../src/rbac/grants/rbac.settings';
import { Ran, typedAt } from '../support/service/command-line';
import { exportOf, Imported, importInto, storedUser } from '../support/accounts/imports';
import { ADMIN, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const linesOf = (out: string): Record<string, unknown>[] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('import into existing data, export, and their commands', () => {
  let service: TestService;
  let folder: string;

  withService(async (started) => {
    service = started;
    folder = await mkdtemp(join(tmpdir(), 'castellan-transfer-'));
    await service.register('claimant', { email: 'claim@example.com', phone: '+8613812345601' });
  });

  afterAll(() => rm(folder, { recursive: true }));

  const imported = (from: string, path: string): Promise<Imported> => importInto(service, from, path);

  const stored = (username: string): ReturnType<typeof storedUser> => storedUser(service, username);

  const typed = (...words: string[]): Promise<Ran> => typedAt(service.database, words.join(' '));

  describe('import into existing accounts', () => {
    const file = async (...users: object[]): Promise<string> => {
      const path = join(folder, 'beside.json');
      await writeFile(path, JSON.stringify({ users }));
      return path;
    };

    it('merges by an e-mail that both have verified, and adds no password to an account without one', async () => {
      const admin = await service.admin();
      const body = { username: 'merge_me', email: 'merge@example.com', email_verified: true };
      expect((await admin.post('/api/user', body)).status).toBe(201);
      const path = await file({
        id: 'm1',
        username: 'other_name',
        email: 'Merge@Example.com',
        emailVerified: true,
        credentials: [
          { type: 'password', secretData: '{"value":"$2b$04$EILJZtOSlKZ4wdy6C7yCweeZXce//e15YLB67ODMh0WWRLwm7tv.C"}' },
        ],
      });
      const { totals, lines } = await imported('keycloak', path);
      expect(totals).toMatchObject({ merged: 1, made: 0 });
      expect(lines).toEqual([expect.objectContaining({ result: 'merged', username: 'merge_me' })]);
      expect(await stored('merge_me')).toMatchObject({ password_hash: null });
      const events = await service.query(
        `SELECT outcome, after FROM audit_event WHERE action = 'user.merge' AND target_label = 'merge_me'`,
      );
      expect(events).toEqual([{ outcome: 'success', after: expect.anything() as unknown }]);
      expect((await imported('keycloak', path)).totals).toMatchObject({ unchanged: 1 });
    });

    it('skips a line with the username of another account', async () => {
      const { totals, lines } = await imported('keycloak', await file({ id: 'c1', username: 'ADMIN' }));
      expect(totals).toMatchObject({ conflict: 1, made: 0 });
      expect(lines).toEqual([expect.objectContaining({ result: 'conflict', why: 'username_taken', source_id: 'c1' })]);
    });

    it.each([
      ['an unverified e-mail', { id: 'c2', username: 'c2_new', email: 'claim@example.com', emailVerified: true }],
      ['a phone', { id: 'c3', username: 'c3_new', attributes: { phoneNumber: ['+8613812345601'] } }],
    ])('imports a user with %s of another account, without that contact', async (_what, user) => {
      const path = await file(user);
      const expected = [
        expect.objectContaining({ result: 'made', source_id: user.id, notes: ['contact_left_out', 'no_way_in'] }),
      ];
      const rehearsed = await importInto(service, 'keycloak', path, { dryRun: true });
      expect(rehearsed.lines).toEqual(expected);
      const { totals, lines } = await imported('keycloak', path);
      expect(totals).toEqual(rehearsed.totals);
      expect(lines).toEqual(expected);
      expect(await stored(user.username)).toMatchObject({ email: null, phone: null });
    });

    it('gives a contact to the first of two lines', async () => {
      const [first, second] = ['l1', 'l2'].map((id) => ({
        id,
        username: `${id}_line`,
        email: 'line@example.com',
        attributes: { phoneNumber: ['+8613812345699'] },
      }));
      const path = await file(first!, second!);
      const rehearsed = await importInto(service, 'keycloak', path, { dryRun: true });
      const { totals } = await imported('keycloak', path);
      expect(totals).toMatchObject({ made: 2, notes: { contact_left_out: 1 } });
      expect(rehearsed.totals).toEqual(totals);
      expect(await stored('l1_line')).toMatchObject({ email: 'line@example.com', phone: '+8613812345699' });
      expect(await stored('l2_line')).toMatchObject({ email: null, phone: null });
    });

    it('reports in a dry run which roles would be omitted', async () => {
      const admin = await service.admin();
      await admin.post('/api/role', {
        name: 'powerful',
        scope: 'keycloak',
        permissions: [{ permission_id: 'report:read', scope: 'keycloak' }],
      });
      const path = await file({ id: 'r1', username: 'r1_role', realmRoles: ['powerful', 'plain'] });
      const options = { withRoles: true };
      const rehearsed = await importInto(service, 'keycloak', path, { ...options, dryRun: true });
      const real = await importInto(service, 'keycloak', path, options);
      expect(rehearsed.totals.notes).toMatchObject({ role_left_out: 1 });
      expect(real.totals).toEqual(rehearsed.totals);
    });

    it('distinguishes users whose name was generated', async () => {
      const { totals } = await imported(
        'keycloak',
        await file({ id: 'n1', username: 'j.doe' }, { id: 'n2', username: 'j-doe' }),
      );
      expect(totals).toMatchObject({ made: 2 });
      const names = await service.query<{ username: string }>(
        `SELECT username FROM user_account WHERE username LIKE 'j\\_doe%' ORDER BY id`,
      );
      expect(names.map(({ username }) => username)).toEqual(['j_doe', expect.stringMatching(/^j_doe_[a-z0-9]{6}$/)]);
    });
  });

  it('continues after an interruption', async () => {
    const source = foreignSources.find(({ name }) => name === 'keycloak')!;
    const path = join(folder, 'many.json');
    const users = Array.from({ length: 1_200 }, (_, n) => ({ id: `many-${n}`, username: `many_${n}` }));
    await writeFile(path, JSON.stringify({ users }));
    const brokenOff: typeof source = {
      name: source.name,
      async *read(file) {
        let read = 0;
        for await (const entry of source.read(file)) {
          if (read++ === 900) throw new Error('killed');
          yield entry;
        }
      },
    };
    const order = { path, dryRun: false, withRoles: false, by: OPERATOR, print: () => undefined };
    const accounts = service.app.get(AccountImportService);
    await expect(accounts.run({ ...order, source: brokenOff })).rejects.toThrow('killed');
    const count = `SELECT count(*)::int AS n FROM user_account WHERE username LIKE 'many\\_%'`;
    expect(await service.query(count)).toEqual([{ n: 500 }]);
    expect(await accounts.run({ ...order, source })).toMatchObject({ read: 1_200, made: 700, unchanged: 500 });
    expect(await service.query(count)).toEqual([{ n: 1_200 }]);
  });

  it('exports every user once and audits it', async () => {
    const { code, out } = await typed('export');
    expect(code).toBe(0);
    const users = linesOf(out);
    const [{ n } = { n: 0 }] = await service.query<{ n: number }>('SELECT count(*)::int AS n FROM user_account');
    expect(n).toBeGreaterThan(1_200);
    expect(users).toHaveLength(n);
    expect(new Set(users.map(({ id }) => id)).size).toBe(n);
    expect(/\$argon2|password_hash/.test(out)).toBe(false);
    expect(users.find(({ username }) => username === ADMIN.username)).toMatchObject({
      status: 'active',
      identities: [],
      permissions: [],
      roles: [
        { scope: 'iam', name: 'admin' },
        { scope: 'iam', name: 'user' },
      ],
    });
    const events = await service.query(`SELECT after FROM audit_event WHERE action = 'user.export'`);
    expect(events).toEqual([{ after: { with_password_hashes: false } }]);
  });

  it('exports hashes only on request', async () => {
    for await (const user of service.app.get(AccountExportService).users(true)) {
      expect(Object.keys(user)).toContain('password_hash');
      if (user.username === ADMIN.username) expect(user.password_hash).toMatch(/^\$argon2id\$/);
    }
  });

  it.each([
    ['{"users":[{"id":"cut","username":"cut_1"},{"id":', 'is truncated'],
    ['{"users":[nonsense]}', 'not valid JSON'],
    ['', 'is empty'],
    ['[{"realm":"a","users":[]}]', 'one realm (--realm)'],
  ])('explains what is wrong with the file %j', async (content, reason) => {
    const path = join(folder, 'wrong.json');
    await writeFile(path, content);
    await expect(imported('keycloak', path)).rejects.toThrow(UnreadableFile);
    await expect(imported('keycloak', path)).rejects.toThrow(reason);
  });

  it.each(['', '--verbose'])(
    'prints a line for each user that needs action, or for all (%s), and the totals',
    async (option) => {
      const words = ['import', '--from', 'auth0', exportOf('auth0-users.ndjson'), '--dry-run', option];
      const { code, out, err } = await typed(...words);
      expect([code, err]).toEqual([0, '']);
      expect(linesOf(out)).toEqual([
        ...(option
          ? [expect.objectContaining({ result: 'made', username: 'goo', notes: ['identity_left_out'] }) as object]
          : []),
        { result: 'made', source_id: 'auth0|euclid', name: 'euclid', username: 'euclid', notes: ['no_way_in'] },
        expect.objectContaining({ result: 'totals of a dry run', read: 3, made: 3, cannot_log_in: 1 }),
      ]);
      expect(await stored('euclid')).toBeUndefined();
    },
  );

  it('notices a file of another system before it prints a line', async () => {
    const { code, out, err } = await typed('import', '--from', 'auth0', exportOf('keycloak-realm.json'));
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('looks like an export of Keycloak, not of Auth0. Use --from keycloak');
  });

  it('ends a file without users with an error', async () => {
    const path = join(folder, 'partial.json');
    await writeFile(path, JSON.stringify({ realm: 'demo', clients: [] }));
    const { code, out, err } = await typed('import', '--from', 'keycloak', path, '--dry-run');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('kc.sh export');
  });

  it('names all lines that are not JSON in a dry run, and stops at the first in an import', async () => {
    const path = join(folder, 'lines.ndjson');
    await writeFile(
      path,
      '{"user_id":"line1","username":"line_one"}\n{"user_id"\n\n{"user_id":"line4","username":"line_four"}\nend',
    );
    const rehearsed = await typed('import', '--from', 'auth0', path, '--dry-run');
    expect(rehearsed.code).toBe(1);
    expect(rehearsed.err).toContain('that are not JSON objects: 2');
    expect(linesOf(rehearsed.out).filter(({ why }) => why === 'not_json')).toEqual([
      expect.objectContaining({ line: 2 }),
      expect.objectContaining({ line: 5 }),
    ]);
    expect(linesOf(rehearsed.out).at(-1)).toMatchObject({ made: 2, skipped: 2 });
    const { code, err } = await typed('import', '--from', 'auth0', path);
    expect([code, err]).toEqual([1, expect.stringContaining('Line 2 of')]);
    expect(await stored('line_one')).toBeUndefined();
  });

  it.each(['', '--dry-run'])('names the setting if the default role does not exist (%s)', async (option) => {
    await service.set(defaultRole, 'nobody_made_it');
    try {
      const { code, err } = await typed('import', '--from', 'auth0', exportOf('auth0-users.ndjson'), option);
      expect([code, err]).toEqual([1, expect.stringContaining('Check the setting register.default_role')]);
      expect(await stored('euclid')).toBeUndefined();
    } finally {
      await service.set(defaultRole, defaultRole.defaultValue);
    }
  });

  it.each([
    [['import', '--from', 'auth0'], 2, 'Usage'],
    [['export', 'users'], 2, 'Usage'],
    [['import', '--from', 'okta', 'file.json'], 2, 'keycloak|casdoor|auth0'],
    [['import', '--from', 'auth0', '/nowhere/at/all'], 1, 'ENOENT'],
  ])('ends %j with %d', async (words, expected, reason) => {
    const { code, err } = await typed(...words);
    expect(code).toBe(expected);
    expect(err).toContain(reason);
    expect(err).not.toMatch(/\n\s+at /);
  });
});
