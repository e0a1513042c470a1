import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Imported, importInto, storedUser } from '../support/accounts/imports';
import { ProviderSimulator } from '../support/provider-simulator';
import { ANN } from '../support/provider-simulator/person';
import { codeOf, MfaRequired, outcome, secondStep } from '../support/accounts/second-factors';
import { logInThrough } from '../support/oauth/simulated-login';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

/** The secret of RFC 6238, Appendix B. */
const TEXT_SECRET = '12345678901234567890';
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const PASSWORD = 'imported password 1';
/** bcrypt of the password, at cost 4. */
const HASH = '$2b$04$oU6nQ5ckNH8vv1Xlam1.U.wMFpW.BIIh5qfkWuNNyx7qfv.55tXIS';
let numbers = 0;

const otp = (data: object = {}, value = TEXT_SECRET): object => ({
  type: 'otp',
  secretData: JSON.stringify({ value }),
  credentialData: JSON.stringify({
    subType: 'totp',
    digits: 6,
    counter: 0,
    period: 30,
    algorithm: 'HmacSHA1',
    ...data,
  }),
});

describe('import of factors, groups, locales and social links', () => {
  let simulator: ProviderSimulator;
  let service: TestService;
  let folder: string;

  withService(async (started) => {
    service = started;
    simulator = await ProviderSimulator.start();
    folder = await mkdtemp(join(tmpdir(), 'castellan-import-'));
    const admin = await service.admin();
    for (const template of ['github', 'microsoft']) {
      expect((await admin.post('/api/oauth/provider', simulator.configuration(template))).status).toBe(201);
    }
  });

  afterAll(async () => {
    await simulator.stop();
    await rm(folder, { recursive: true });
  });

  const imported = async (from: string, user: object, withRoles = false): Promise<Imported> => {
    const path = join(folder, String(++numbers));
    await writeFile(path, JSON.stringify(from === 'auth0' ? [user] : { users: [user] }));
    return importInto(service, from, path, { withRoles });
  };
  const valueOf = async (username: string, name: string): Promise<unknown> =>
    (await storedUser(service, username))?.[name];
  const users: readonly [string, (username: string, factor?: object) => object][] = [
    [
      'keycloak',
      (username) => ({
        id: username,
        username,
        credentials: [{ type: 'password', secretData: JSON.stringify({ value: HASH }) }, otp()],
        attributes: { locale: ['zh-CN'] },
      }),
    ],
    [
      'casdoor',
      (name) => ({ owner: 'acme', name, password: HASH, passwordType: 'bcrypt', totpSecret: SECRET, language: 'zh' }),
    ],
    [
      'auth0',
      (username) => ({
        user_id: `auth0|${username}`,
        username,
        passwordHash: HASH,
        mfa_factors: [{ phone: { value: '+15551234567' } }, { totp: { secret: SECRET } }],
        user_metadata: { locale: 'zh_Hans' },
      }),
    ],
  ];

  it.each(users)('from %s keeps the authenticator app and the language', async (from, userOf) => {
    const username = `app_${from}`;
    expect((await imported(from, userOf(username))).totals).toMatchObject({ made: 1, notes: {} });
    expect(await valueOf(username, 'locale')).toBe('zh');
    const client = service.client();
    const first = await client.post<MfaRequired>('/api/auth/login', { type: 'password', username, password: PASSWORD });
    expect(first.body).toMatchObject({ mfa_required: true, methods: ['totp'] });
    expect(outcome(await secondStep(client, { method: 'totp', code: codeOf(SECRET, 9) }))).toBe('400 code_invalid');
    expect(outcome(await secondStep(client, { method: 'totp', code: codeOf(SECRET) }))).toBe('200');
  });

  it('stores the secret sealed, and the audit names the factor without it', async () => {
    const [from, userOf] = users[0]!;
    await imported(from, userOf('app_sealed'));
    const id = await valueOf('app_sealed', 'id');
    const [factor] = await service.query<{ id: string; secret: string }>('SELECT * FROM mfa_totp WHERE user_id = $1', [
      id,
    ]);
    expect(factor?.secret).not.toContain(SECRET);
    const events = await service.query(`SELECT after FROM audit_event WHERE action = 'factor.add' AND target_id = $1`, [
      id,
    ]);
    expect(events).toEqual([{ after: { type: 'totp', id: factor?.id, source: 'import' } }]);
  });

  it('reads the older form of an authenticator app of Keycloak, and base32', async () => {
    const former = { type: 'totp', hashedSaltedValue: TEXT_SECRET, digits: 6, period: 30, algorithm: 'HmacSHA1' };
    const encoded = otp({ secretEncoding: 'BASE32' }, `${SECRET}====`);
    for (const [place, credential] of [former, encoded].entries()) {
      const username = `app_form_${place}`;
      const credentials = [{ type: 'password', secretData: JSON.stringify({ value: HASH }) }, credential];
      await imported('keycloak', { id: username, username, credentials });
      const client = service.client();
      await client.post('/api/auth/login', { type: 'password', username, password: PASSWORD });
      expect(outcome(await secondStep(client, { method: 'totp', code: codeOf(SECRET) }))).toBe('200');
    }
  });

  it.each([
    ['eight digits', otp({ digits: 8 })],
    ['another period', otp({ period: 60 })],
    ['another digest', otp({ algorithm: 'HmacSHA256' })],
    ['a counter', otp({ subType: 'hotp' })],
    ['a short secret', otp({}, 'short')],
    ['no secret', { type: 'otp' }],
  ])('leaves out an app with %s and notes it', async (what, credential) => {
    const username = `left_${what.replaceAll(' ', '_')}`;
    const { totals } = await imported('keycloak', { id: username, username, credentials: [credential] });
    expect(totals).toMatchObject({ made: 1, notes: { factor_left_out: 1 } });
    expect(await service.query('SELECT 1 FROM mfa_totp WHERE user_id = $1', [await valueOf(username, 'id')])).toEqual(
      [],
    );
  });

  it('adds no app to an account that existed before', async () => {
    const had = { username: 'had_before', email: 'before@x.example', email_verified: true };
    const admin = await service.admin();
    expect((await admin.post('/api/user', had)).status).toBe(201);
    const user = { id: 'b', username: 'b', email: 'before@x.example', emailVerified: true, credentials: [otp()] };
    const { totals } = await imported('keycloak', user);
    expect(totals).toMatchObject({ merged: 1, notes: { factor_left_out: 1 } });
    expect(
      await service.query('SELECT 1 FROM mfa_totp WHERE user_id = $1', [await valueOf('had_before', 'id')]),
    ).toEqual([]);
  });

  it.each([
    [
      'keycloak',
      (username: string, userId: string) => ({
        id: username,
        username,
        federatedIdentities: [{ identityProvider: 'github', userId, userName: 'ann' }],
      }),
    ],
    ['casdoor', (name: string, github: string) => ({ owner: 'acme', name, github })],
    [
      'auth0',
      (username: string, user_id: string) => ({
        user_id: `auth0|${username}`,
        username,
        identities: [
          { connection: 'github', provider: 'github', user_id: Number(user_id), isSocial: true },
          { connection: 'Username-Password-Authentication', provider: 'auth0', user_id: 'x', isSocial: false },
        ],
      }),
    ],
  ])('links accounts of %s at a provider of the same name', async (from, userOf) => {
    expect((await imported(from, userOf(`linked_${from}`, ANN.id))).totals).toMatchObject({ made: 1, notes: {} });
    const client = service.client();
    expect((await logInThrough(client, simulator, 'github')).body).toMatchObject({ status: 'logged_in' });
    expect((await client.get('/api/auth/me')).body).toMatchObject({ username: `linked_${from}` });
    const second = await imported(from, userOf(`second_${from}`, ANN.id));
    expect(second.lines).toMatchObject([{ result: 'conflict', why: 'identity_taken' }]);
    await service.query('DELETE FROM user_identity');
  });

  it('leaves out links to providers that are not configured or give each application other ids', async () => {
    for (const identityProvider of ['elsewhere', 'microsoft']) {
      const username = `unlinked_${identityProvider}`;
      const federatedIdentities = [{ identityProvider, userId: ANN.id }];
      const { totals } = await imported('keycloak', { id: username, username, federatedIdentities });
      expect(totals).toMatchObject({ made: 1, notes: { identity_left_out: 1, no_way_in: 1 } });
    }
    expect(await service.query('SELECT 1 FROM user_identity')).toEqual([]);
  });
});
