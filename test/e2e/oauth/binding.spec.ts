import { emailCodeRequired, registrationEnabled } from '../../../src/auth';
import { PasswordHasher } from '../../../src/platform/crypto';
import { maxDailyCodes } from '../../../src/verification';
import { expectProblem } from '../../support/service/expect-problem';
import { begin, beginBinding, comeBack } from '../../support/oauth/fake-providers';
import { FakeProviders, roundTrip, sessionCookies } from '../../support/oauth/fake-providers';
import { startWithProviders } from '../../support/oauth/service-with-providers';
import { Claims, OfferedLink, offerLink } from '../../support/oauth/offered-link';
import { Problem } from '../../support/service/test-client';
import { PASSWORD, TestService } from '../../support/service/test-service';

let service: TestService;
let providers: FakeProviders;
let made = 0;

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
});

afterAll(() => service.stop());

const unique = (text: string): string => `binding_${text}_${++made}`;
const [REGISTER, LOGIN] = ['/api/oauth/bind/register', '/api/oauth/bind/login'];

interface Entered extends Problem {
  readonly user: {
    id: string;
    username: string;
    nickname: string;
    avatar: string;
    email: string | null;
    email_verified: boolean;
  };
  readonly session: { login_method: string };
}

const offer = (more: Claims = {}, provider = providers.add()): Promise<OfferedLink> =>
  offerLink(service, provider, unique('subject'), more);

const ownersOf = async (subject: string): Promise<string[]> => {
  const rows = await service.query<{ username: string }>(
    `SELECT username FROM user_identity_subject JOIN user_identity ON user_identity.id = identity_id
     JOIN user_account ON user_account.id = user_id WHERE subject = $1`,
    [subject],
  );
  return rows.map(({ username }) => username);
};

const password = (username: string, typed = PASSWORD): object => ({ type: 'password', username, password: typed });

describe('linking by registration', () => {
  it('creates an account from the profile of the provider and logs in to it', async () => {
    const person = {
      nickname: 'Ann of IdP',
      avatar: 'https://idp.example/ann.png',
      email: 'ann@idp.example',
      emailVerified: true,
    };
    const { client, provider, subject } = await offer(person);
    const shown = await client.get('/api/oauth/bind');
    const { name, label } = provider.provider;
    const { emailVerified: email_verified, ...told } = person;
    expect(shown.body).toEqual({ provider: name, label, profile: { ...told, email_verified } });
    const answer = await client.post<Entered>(REGISTER, { username: 'ann_of_idp' });
    expect(answer.status).toBe(201);
    // The provider is not trusted with e-mails, so the account has none.
    expect(answer.body).toMatchObject({
      user: {
        username: 'ann_of_idp',
        nickname: person.nickname,
        avatar: person.avatar,
        email: null,
        has_password: false,
      },
      session: { login_method: `oauth:${name}` },
    });
    expect((await client.get<Entered['user']>('/api/auth/me')).body.username).toBe('ann_of_idp');
    expect(await ownersOf(subject)).toEqual(['ann_of_idp']);
    const [event] = await service.query(
      `SELECT after FROM audit_event WHERE action = 'user.create' AND target_label = 'ann_of_idp'`,
    );
    expect(event).toEqual({ after: { source: 'bind', role: 'user' } });
    provider.person(subject, person);
    const again = service.client();
    expect((await roundTrip(again, provider)).body.status).toBe('logged_in');
    expect((await again.get<Entered['user']>('/api/auth/me')).body.username).toBe('ann_of_idp');
  });

  it('applies all rules of registration', async () => {
    const { client } = await offer();
    await service.set(registrationEnabled, false);
    expectProblem(await client.post<Problem>(REGISTER, { username: unique('u') }), 403, 'registration_disabled');
    await service.set(registrationEnabled, true);
    await service.register('has_the_name');
    await service.register('has_the_mail', { email: 'claimed@example.com' });
    await service.set(emailCodeRequired, true);
    const unproven = await client.post<Problem>(REGISTER, { username: unique('u'), email: 'new@example.com' });
    expect(unproven.body.errors).toMatchObject([{ field: 'email_code', code: 'required' }]);
    await service.set(emailCodeRequired, false);
    for (const [body, status, code] of [
      [{ username: 'no' }, 400, 'validation_failed'],
      [{ username: 'has_the_name' }, 409, 'username_taken'],
      [{ username: unique('u'), password: 'password' }, 400, 'password_too_common'],
      [{ username: unique('u'), email: 'claimed@example.com' }, 409, 'email_taken'],
      [{ username: unique('u'), roles: ['admin'] }, 400, 'validation_failed'],
    ] as const) {
      expectProblem(await client.post(REGISTER, body), status, code);
    }
    expect((await client.post(REGISTER, { username: unique('u'), password: PASSWORD })).status).toBe(201);
  });

  it('reports all invalid fields at once, also those that break settings', async () => {
    const { client } = await offer();
    await service.set(emailCodeRequired, true);
    const wrong = { username: 'x', password: 'password', phone: 'nonsense', extra: 1 };
    const answer = await client.post<Problem>(REGISTER, wrong);
    await service.set(emailCodeRequired, false);
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors?.map(({ field, code }) => `${field}: ${code}`).sort()).toEqual([
      'email: required',
      'email_code: required',
      'extra: unknown_field',
      'password: password_too_common',
      'phone: phone',
      'username: min_length',
    ]);
  });

  it('marks an e-mail as verified when a trusted provider verified it, and takes it from an unverified user', async () => {
    const claimant = await service.signUp('claimant', { email: 'victim@example.com' });
    await service.set(emailCodeRequired, true);
    const { client } = await offer(
      { email: 'Victim@example.com', emailVerified: true },
      providers.add({ trustEmail: true }),
    );
    const other = await client.post<Problem>(REGISTER, { username: unique('u'), email: 'other@example.com' });
    const answer = await client.post<Entered>(REGISTER, { username: unique('victim') });
    await service.set(emailCodeRequired, false);
    expect(other.body.errors).toMatchObject([{ field: 'email_code', code: 'required' }]);
    expect(answer.body.user).toMatchObject({ email: 'Victim@example.com', email_verified: true });
    // The claimant still has the own account, without access to the victim's.
    const me = await claimant.get<Entered['user']>('/api/auth/me');
    expect(me.body).toMatchObject({ username: 'claimant', email: null, email_verified: false });
    const login = await service.client().post<Problem>('/api/auth/login', password('victim@example.com'));
    expectProblem(login, 401, 'invalid_credentials');
  });

  it('creates one account for concurrent requests', async () => {
    const { client, subject } = await offer();
    const names = Array.from({ length: 5 }, () => unique('crowd'));
    const answers = await Promise.all(names.map((username) => client.post<Problem>(REGISTER, { username })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const rows = await service.query('SELECT 1 FROM user_account WHERE username = ANY($1)', [names]);
    expect([rows.length, (await ownersOf(subject)).length]).toEqual([1, 1]);
  });
});

describe('linking by login', () => {
  it('links the account whose password was verified, with its lockout', async () => {
    await service.register('prover');
    const { client, subject, provider } = await offer();
    expectProblem(await client.post(LOGIN, password('prover', 'wrong')), 401, 'invalid_credentials');
    expect(await ownersOf(subject)).toEqual([]);
    const answer = await client.post<Entered>(LOGIN, password('prover'));
    const method = `oauth:${provider.provider.name}`;
    expect([answer.status, answer.body.session.login_method]).toEqual([200, method]);
    expect(await ownersOf(subject)).toEqual(['prover']);
    expect(answer.setCookies).toContainEqual(expect.stringMatching(/^iam_bind=; Max-Age=0/));
  });

  it('links the identity of the given token, not a later one of the same browser', async () => {
    await service.register('chooser');
    const provider = providers.add();
    const first = await offer({}, provider);
    provider.person('the other');
    await roundTrip(first.client, provider);
    const { temp_token } = first;
    expect((await first.client.post(LOGIN, { temp_token, ...password('chooser') })).status).toBe(200);
    expect([await ownersOf(first.subject), await ownersOf('the other')]).toEqual([['chooser'], []]);
  });

  it('is rejected when the identity was linked to another account in the meantime', async () => {
    await service.register('too_late');
    const provider = providers.add();
    const { client, subject } = await offer({}, provider);
    provider.person(subject);
    const quick = await service.signUp('quicker');
    await comeBack(quick, provider, await beginBinding(quick, provider));
    expectProblem(await client.post<Problem>(LOGIN, password('too_late')), 409, 'identity_taken');
    expectProblem(await client.post<Problem>(REGISTER, { username: unique('u') }), 409, 'identity_taken');
    expect(await ownersOf(subject)).toEqual(['quicker']);
  });
});

describe('link token', () => {
  beforeAll(() => service.register('holder'));

  const dead: readonly [string, (offered: OfferedLink) => Promise<unknown>][] = [
    ['was consumed', ({ client }) => client.post(LOGIN, password('holder'))],
    ['has expired', () => service.query(`UPDATE oauth_bind_ticket SET expires_at = now() - interval '1 second'`)],
    ['belongs to a provider that was disabled', async ({ provider }) => (provider.enabled = false)],
    [
      'has failed five times',
      async ({ client }) => {
        for (let failure = 0; failure < 5; failure++) await client.post(LOGIN, password(unique('nobody')));
      },
    ],
    [
      'belongs to a provider that was changed',
      async ({ provider }) => {
        provider.change({});
      },
    ],
  ];

  it.each(dead)('is rejected after it %s', async (_, happen) => {
    const offered = await offer();
    const { client, temp_token } = offered;
    const cookie = client.cookie;
    await happen(offered);
    for (const [path, body] of [
      [LOGIN, password('holder')],
      [REGISTER, { username: unique('late') }],
    ] as const) {
      const answer = await client.post<Problem>(path, { temp_token, ...body }, { cookie });
      expectProblem(answer, 401, 'temp_token_invalid');
    }
    expect((await client.get('/api/oauth/bind', { cookie })).status).toBe(401);
  });

  it.each([
    [LOGIN, 'verify', password('holder')],
    [REGISTER, 'hash', { username: 'slow_newcomer', password: PASSWORD }],
  ] as const)('is not consumed by %s when it expires while the service runs %s', async (path, work, body) => {
    const { client, subject } = await offer();
    const hasher = service.app.get(PasswordHasher, { strict: false });
    const original = hasher[work].bind(hasher) as (...input: string[]) => Promise<never>;
    const slow = jest.spyOn(hasher, work).mockImplementationOnce(async (...input: string[]) => {
      await service.query(`UPDATE oauth_bind_ticket SET expires_at = now() - interval '1 second'`);
      return original(...input);
    });
    const answer = await client.post<Problem>(path, body);
    slow.mockRestore();
    expectProblem(answer, 401, 'temp_token_invalid');
    expect(await ownersOf(subject)).toEqual([]);
    expect(sessionCookies(answer)).toEqual([]);
  });

  it('is rejected when its profile was changed or encrypted with an unknown key', async () => {
    for (const sealed of ['enc:1:gone:AAAAAAAAAAAAAAAA:AAAA:AAAAAAAAAAAAAAAAAAAAAA', 'rubbish']) {
      const { client, temp_token } = await offer();
      await service.query('UPDATE oauth_bind_ticket SET profile = $1', [sealed]);
      const answer = await client.post<Problem>(LOGIN, { temp_token, ...password('holder') });
      expectProblem(answer, 401, 'temp_token_invalid');
    }
  });

  it('expires with its cookie', async () => {
    const client = service.client();
    const provider = providers.add();
    provider.person(unique('subject'));
    const answer = await roundTrip(client, provider);
    expect(answer.setCookies).toContain(
      `iam_oauth=${client.jar.get('iam_oauth')!}; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`,
    );
  });

  it('is rejected in another browser or without a cookie', async () => {
    const { temp_token, subject } = await offer();
    const stranger = service.client();
    await begin(stranger, providers.add());
    for (const client of [stranger, service.client()]) {
      const answer = await client.post<Problem>(LOGIN, { temp_token, ...password('holder') });
      expectProblem(answer, 401, 'temp_token_invalid');
      const shown = await client.get<Problem>('/api/oauth/bind', {
        cookie: `${client.cookie}; iam_bind=${temp_token}`,
      });
      expectProblem(shown, 401, 'temp_token_invalid');
    }
    expect(await ownersOf(subject)).toEqual([]);
  });

  it('has no other use', async () => {
    const { client, temp_token } = await offer();
    for (const cookie of [client.cookie, `iam_access=${temp_token}`, `iam_refresh=${temp_token}`]) {
      for (const headers of [{}, { authorization: `Bearer ${temp_token}` }] as Record<string, string>[]) {
        expect((await client.get('/api/auth/me', { cookie, headers })).status).toBe(401);
        expect((await client.post('/api/auth/refresh', {}, { cookie, headers })).status).toBe(401);
      }
    }
  });

  it.each(['null', '', '[]', '"password"'])(
    'does not count the failure %j instead of a rejected login',
    async (raw) => {
      const { client } = await offer();
      const headers = { 'content-type': 'application/json' };
      for (let time = 0; time < 5; time++) {
        const answer = await client.send<Problem>('POST', LOGIN, { raw, headers });
        expect([answer.status, answer.body.errors]).toMatchObject([400, [{ code: 'type_object' }]]);
      }
      expect((await client.get('/api/oauth/bind')).status).toBe(200);
    },
  );

  it('survives errors that are no failed attempt, and is stored as a digest with an encrypted profile', async () => {
    const { client, temp_token } = await offer({ nickname: 'Secret Nick' });
    for (let typo = 0; typo < 8; typo++) await client.post(REGISTER, { username: 'x' });
    for (let taken = 0; taken < 8; taken++) await client.post(REGISTER, { username: 'holder' });
    await service.set(maxDailyCodes, 0);
    for (const [path, body, status, code] of [
      [REGISTER, { username: unique('weak'), password: 'password' }, 400, 'password_too_common'],
      [
        REGISTER,
        { username: unique('off'), email: 'o@example.com', email_code: '000000' },
        403,
        'verification_disabled',
      ],
      [LOGIN, { type: 'sms', phone: '+8613800000000', code: '000000' }, 403, 'login_method_disabled'],
    ] as const) {
      for (let time = 0; time < 5; time++) expectProblem(await client.post(path, body), status, code);
    }
    await service.set(maxDailyCodes, maxDailyCodes.defaultValue);
    const rows = JSON.stringify(await service.query('SELECT * FROM oauth_bind_ticket'));
    expect([rows.includes(temp_token), rows.includes('Secret Nick')]).toEqual([false, false]);
    expect((await client.post(REGISTER, { username: unique('patient') })).status).toBe(201);
  });
});
