import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { typedAt } from '../support/service/command-line';
import { Imported, importInto, stateOf, storedUser } from '../support/accounts/imports';
import { ProviderSimulator } from '../support/provider-simulator';
import { logInThrough } from '../support/oauth/simulated-login';
import { PASSWORD, TestService } from '../support/service/test-service';

interface Exported {
  readonly id: string;
  readonly username: string;
  readonly identities: readonly object[];
  readonly [member: string]: unknown;
}

const ISSUER = 'https://idp.example';
let numbers = 0;

/** A line of an export. */
const line = (more: object = {}): Exported => {
  const number = ++numbers;
  const id = `01a1fcfd-d324-7086-b13c-${String(number).padStart(12, '0')}`;
  return { id, username: `moved_${number}`, nickname: '', status: 'active', roles: [], identities: [], ...more };
};

const identity = (subject: string, more: object = {}): object => ({
  id: `of ${subject}`,
  provider: 'corp',
  issuer: ISSUER,
  claim: 'sub',
  subject,
  ...more,
});

describe('import of a Castellan export', () => {
  let simulator: ProviderSimulator;
  let service: TestService;
  let folder: string;

  beforeAll(async () => {
    simulator = await ProviderSimulator.start();
    service = await TestService.start();
    folder = await mkdtemp(join(tmpdir(), 'castellan-moved-'));
    await provide(service);
  });

  afterAll(async () => {
    await service.stop();
    await simulator.stop();
    await rm(folder, { recursive: true });
  });

  const provide = async (target: TestService, more: object = {}): Promise<void> => {
    const admin = await target.admin();
    const answer = await admin.post(
      '/api/oauth/provider',
      simulator.configuration('oauth2', { name: 'corp', ...more }),
    );
    expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  };

  const file = async (...users: object[]): Promise<string> => {
    const path = join(folder, `export-${++numbers}.ndjson`);
    await writeFile(path, users.map((user) => `${JSON.stringify(user)}\n`).join(''));
    return path;
  };

  const imported = async (...users: object[]): Promise<Imported> =>
    importInto(service, 'castellan', await file(...users));

  const linksOf = (username: string): Promise<object[]> =>
    service.query(
      `SELECT provider.name AS provider, known.issuer, known.claim, known.subject FROM user_identity AS identity
       JOIN user_account AS account ON account.id = identity.user_id
       JOIN user_identity_subject AS known ON known.identity_id = identity.id
       JOIN oauth_provider AS provider ON provider.id = known.provider_id AND provider.id = identity.provider_id
       WHERE username = $1 ORDER BY identity.id, known.claim`,
      [username],
    );

  it('keeps which terms a user has accepted, and leaves out what it cannot be', async () => {
    const accepted = { terms_version: '2026-01', terms_accepted_at: '2026-01-02T03:04:05.678Z' };
    const [one, other, third] = [line(accepted), line({ ...accepted, terms_version: 'x'.repeat(51) }), line()];
    await imported(one, other, third);
    const at = new Date(accepted.terms_accepted_at);
    expect(await storedUser(service, one.username)).toMatchObject({ terms_version: '2026-01', terms_accepted_at: at });
    for (const { username } of [other, third]) {
      expect(await storedUser(service, username)).toMatchObject({ terms_version: null, terms_accepted_at: null });
    }
  });

  it('imports users who can log in as before, by password and by their third-party account', async () => {
    const previous = await TestService.start();
    try {
      await provide(previous, { auto_register: true });
      await previous.signUp('with_password');
      const known = previous.client();
      expect((await logInThrough(known, simulator, 'corp')).body).toMatchObject({ status: 'logged_in' });
      const { username } = (await known.get<{ username: string }>('/api/auth/me')).body;
      const { code, out } = await typedAt(previous.database, 'export --with-password-hashes');
      expect(code).toBe(0);
      const path = join(folder, 'former.ndjson');
      await writeFile(path, out);

      const { totals, lines } = await importInto(service, 'castellan', path);
      expect(totals).toMatchObject({ read: 3, made: 2, conflict: 1 });
      // The imported administrator is a different account from the existing one.
      expect(lines).toEqual([expect.objectContaining({ result: 'conflict', why: 'username_taken', name: 'admin' })]);
      await service.logIn('with_password', PASSWORD);
      const moved = service.client();
      expect((await logInThrough(moved, simulator, 'corp')).body).toMatchObject({ status: 'logged_in' });
      expect((await moved.get<{ username: string }>('/api/auth/me')).body.username).toBe(username);
    } finally {
      await previous.stop();
    }
  });

  it('links all subjects of one identity and records it in the audit', async () => {
    const two = [
      identity('open 1', { id: 'one', claim: 'openid' }),
      identity('union 1', { id: 'one', claim: 'unionid' }),
    ];
    const user = line({ identities: two });
    expect((await imported(user)).totals).toMatchObject({ made: 1, notes: {} });
    expect(await linksOf(user.username)).toEqual([
      { provider: 'corp', issuer: ISSUER, claim: 'openid', subject: 'open 1' },
      { provider: 'corp', issuer: ISSUER, claim: 'unionid', subject: 'union 1' },
    ]);
    const account = await storedUser(service, user.username);
    const events = await service.query(
      `SELECT actor_id, after FROM audit_event WHERE action = 'identity.link' AND after ->> 'user_id' = $1`,
      [account?.['id']],
    );
    const after = { provider: 'corp', issuer: ISSUER, subject_hint: 'op… 1', source: 'import' };
    expect(events).toMatchObject([{ actor_id: null, after }]);
  });

  it('keeps a subject unchanged, including spaces', async () => {
    const user = line({ identities: [identity(' spaced ')] });
    await imported(user);
    expect(await linksOf(user.username)).toMatchObject([{ subject: ' spaced ' }]);
  });

  it('changes nothing on a second run and does not restore a removed link', async () => {
    const user = line({ identities: [identity('twice')] });
    await imported(user);
    const state = await stateOf(service);
    expect((await imported(user)).totals).toMatchObject({ unchanged: 1, made: 0 });
    expect(await stateOf(service)).toEqual(state);
    await service.query('DELETE FROM user_identity WHERE user_id = (SELECT id FROM user_account WHERE username = $1)', [
      user.username,
    ]);
    await imported(user);
    expect(await linksOf(user.username)).toEqual([]);
  });

  it('reports the result of a dry run and links no identity', async () => {
    const first = line({ identities: [identity('rehearsed')] });
    const second = line({ identities: [identity('rehearsed')] });
    const before = await stateOf(service);
    const { totals } = await importInto(service, 'castellan', await file(first, second), { dryRun: true });
    expect(totals).toMatchObject({ made: 1, conflict: 1 });
    expect(await stateOf(service)).toEqual(before);
  });

  it('skips users of an unknown provider and imports them once it exists', async () => {
    const user = line({ identities: [identity('of another', { provider: 'elsewhere' })] });
    const { totals, lines } = await imported(user);
    expect(totals).toMatchObject({ made: 0, skipped: 1 });
    expect(lines).toEqual([
      { result: 'skipped', source_id: user.id, name: user.username, why: 'provider_unknown', provider: 'elsewhere' },
    ]);
    expect(await storedUser(service, user.username)).toBeUndefined();
    await provide(service, { name: 'elsewhere' });
    expect((await imported(user)).totals).toMatchObject({ made: 1 });
    expect(await linksOf(user.username)).toMatchObject([{ provider: 'elsewhere', subject: 'of another' }]);
  });

  it('does not move a link from its account or from an earlier line of the file', async () => {
    const owner = line({ identities: [identity('taken')] });
    await imported(owner);
    const id = (await storedUser(service, owner.username))?.['id'];
    const thief = line({ identities: [identity('fresh'), identity('taken')] });
    const { lines } = await imported(thief);
    expect(lines).toEqual([
      expect.objectContaining({ result: 'conflict', why: 'identity_taken', holder_id: id, source_id: thief.id }),
    ]);
    expect(await storedUser(service, thief.username)).toBeUndefined();
    expect(await linksOf(owner.username)).toHaveLength(1);

    const [early, late] = [line({ identities: [identity('both')] }), line({ identities: [identity('both')] })];
    expect((await imported(early, late)).totals).toMatchObject({ made: 1, conflict: 1 });
    expect(await linksOf(early.username)).toHaveLength(1);
  });

  it('adds no credential to an existing account', async () => {
    const admin = await service.admin();
    const body = { username: 'stays', email: 'stays@example.com', email_verified: true };
    expect((await admin.post('/api/user', body)).status).toBe(201);
    const user = line({
      email: 'stays@example.com',
      email_verified: true,
      identities: [identity('would come in')],
      password_hash: '$2b$04$EILJZtOSlKZ4wdy6C7yCweeZXce//e15YLB67ODMh0WWRLwm7tv.C',
    });
    const { totals, lines } = await imported(user);
    expect(totals).toMatchObject({ merged: 1 });
    expect(lines).toEqual([expect.objectContaining({ username: 'stays', notes: ['identity_left_out'] })]);
    expect(await linksOf('stays')).toEqual([]);
    expect(await storedUser(service, 'stays')).toMatchObject({ password_hash: null });
  });

  it('reports an identity that cannot be used to log in', async () => {
    const odd = [identity('x'.repeat(256)), identity('no claim', { claim: undefined }), 'nonsense'];
    const user = line({ identities: odd });
    const { lines } = await imported(user);
    expect(lines).toEqual([expect.objectContaining({ result: 'made', notes: ['identity_left_out', 'no_way_in'] })]);
    expect(await linksOf(user.username)).toEqual([]);
  });

  it('links a duplicate subject once and reports an identity without any subject left', async () => {
    const again = line({ identities: [identity('said twice', { id: 'one' }), identity('said twice', { id: 'one' })] });
    const under = line({
      identities: [
        identity('shared', { id: 'one' }),
        identity('shared', { id: 'two' }),
        identity('shared', { id: 'three' }),
        identity('own', { id: 'three', claim: 'unionid' }),
      ],
    });
    const { totals, lines } = await imported(again, under, line());
    expect(totals).toMatchObject({ made: 3 });
    expect(lines.filter(({ source_id }) => source_id !== again.id)).toMatchObject([
      { source_id: under.id, notes: ['identity_left_out'] },
      { notes: ['no_way_in'] },
    ]);
    expect(lines.some(({ source_id }) => source_id === again.id)).toBe(false);
    expect(await linksOf(again.username)).toMatchObject([{ claim: 'sub', subject: 'said twice' }]);
    expect(await linksOf(under.username)).toMatchObject([
      { claim: 'sub', subject: 'shared' },
      { claim: 'unionid', subject: 'own' },
    ]);
  });

  it('imports roles by name only and keeps roles of different scopes apart', async () => {
    const roles = [
      { scope: 'iam', name: 'admin' },
      { scope: 'iam', name: 'user' },
      { scope: 'shop', name: 'editor' },
    ];
    const user = line({ roles, permissions: [{ scope: '*', permission_id: '*:*', level: 7 }] });
    const { totals } = await importInto(service, 'castellan', await file(user), { withRoles: true });
    expect(totals).toMatchObject({ made: 1 });
    const held = await service.query(
      `SELECT role.scope, role.name, EXISTS (SELECT FROM role_grant WHERE role_id = role.id) AS permits FROM user_role
       JOIN role ON role.id = role_id JOIN user_account ON user_account.id = user_id WHERE username = $1 ORDER BY 1, 2`,
      [user.username],
    );
    expect(held).toEqual([
      { scope: 'castellan', name: 'iam.admin', permits: false },
      { scope: 'castellan', name: 'shop.editor', permits: false },
      { scope: 'iam', name: 'user', permits: true },
    ]);
    expect(
      await service.query('SELECT 1 FROM user_grant JOIN user_account ON id = user_id WHERE username = $1', [
        user.username,
      ]),
    ).toEqual([]);
  });
});
