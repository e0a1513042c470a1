import { IdentitiesService } from '../../../src/oauth/login/identities';
import { UserCache } from '../../../src/users';
import { logInLongAgo } from '../../support/accounts/accounts';
import { expectProblem } from '../../support/service/expect-problem';
import {
  begin,
  beginBinding,
  CallbackAnswer,
  comeBack,
  comeBackByForm,
  expectNothingCame,
  FakeProvider,
  FakeProviders,
  locationOf,
  roundTrip,
  sessionCookies,
} from '../../support/oauth/fake-providers';
import { startWithProviders } from '../../support/oauth/service-with-providers';
import { Answer, Problem, TestClient } from '../../support/service/test-client';
import { TestService } from '../../support/service/test-service';

let service: TestService;
let providers: FakeProviders;
let made = 0;

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
});

afterAll(() => service.stop());

const unique = (text: string): string => `states_${text}_${++made}`;

const expectRejected = (work: () => Promise<Answer<CallbackAnswer>>, code: string): Promise<void> =>
  expectNothingCame(service, work, code);

const idOf = async (name: string): Promise<string> =>
  (await service.query<{ id: string }>('SELECT id FROM user_account WHERE username = $1', [name]))[0]!.id;
const identitiesOf = async (name: string): Promise<number> =>
  (await service.query('SELECT 1 FROM user_identity WHERE user_id = $1', [await idOf(name)])).length;

describe('a returned state', () => {
  interface Attempt {
    readonly client: TestClient;
    readonly provider: FakeProvider;
    readonly state: string;
  }

  const wrong: readonly [string, (attempt: Attempt) => Promise<Answer<CallbackAnswer>>][] = [
    ['is missing', ({ client, provider }) => comeBack(client, provider, '', { state: undefined })],
    ['is empty', ({ client, provider }) => comeBack(client, provider, '')],
    ['was never issued', ({ client, provider }) => comeBack(client, provider, 'A'.repeat(43))],
    [
      'was consumed',
      async ({ client, provider, state }) => {
        expect((await comeBack(client, provider, state)).body.status).toBe('logged_in');
        return comeBack(service.client(), provider, state);
      },
    ],
    [
      'was consumed by an access_denied error',
      async ({ client, provider, state }) => {
        await comeBack(client, provider, state, { error: 'access_denied' });
        return comeBack(client, provider, state);
      },
    ],
    [
      'comes a second time from the same browser',
      async ({ client, provider, state }) => {
        const cookie = client.cookie;
        await comeBack(client, provider, state);
        return client.post(`/api/oauth/callback/${provider.provider.name}`, { code: 'c', state }, { cookie });
      },
    ],
    ['comes from another browser (login CSRF)', ({ provider, state }) => comeBack(service.client(), provider, state)],
    [
      'comes from a browser with another login in progress',
      async ({ provider, state }) => {
        const other = service.client();
        await begin(other, provider);
        return comeBack(other, provider, state);
      },
    ],
    ['is sent to another provider', ({ client, state }) => comeBack(client, providers.door(), state)],
    [
      'was encrypted with an unknown key',
      async ({ client, provider, state }) => {
        await service.query(
          `UPDATE oauth_state SET code_verifier = 'enc:1:gone:AAAAAAAAAAAAAAAA:AAAA:AAAAAAAAAAAAAAAAAAAAAA'`,
        );
        return comeBack(client, provider, state);
      },
    ],
    [
      'has expired',
      async ({ client, provider, state }) => {
        await service.query(`UPDATE oauth_state SET expires_at = now() - interval '1 second'`);
        return comeBack(client, provider, state);
      },
    ],
    [
      'belongs to a provider that was disabled',
      ({ client, provider, state }) => {
        provider.enabled = false;
        return comeBack(client, provider, state);
      },
    ],
    [
      'belongs to a provider that was changed',
      ({ client, provider, state }) => {
        provider.change({ label: 'Another' });
        return comeBack(client, provider, state);
      },
    ],
    [
      'belongs to a provider whose name was reused',
      ({ client, provider, state }) => {
        providers.door({ name: provider.provider.name });
        return comeBack(client, provider, state);
      },
    ],
    [
      'belongs to a login while the client expects account linking',
      ({ client, provider, state }) => comeBack(client, provider, state, { bind_mode: 'true' }),
    ],
  ];

  it.each(wrong)('is rejected when it %s', async (name, bring) => {
    const client = service.client();
    const provider = providers.door();
    const state = await begin(client, provider);
    if (/consumed|second time/.test(name)) {
      const answer = await bring({ client, provider, state });
      expect([answer.body.code, sessionCookies(answer)]).toEqual(['state_invalid', []]);
    } else await expectRejected(() => bring({ client, provider, state }), 'state_invalid');
  });

  it('opens one session for twenty parallel callbacks', async () => {
    const client = service.client();
    const provider = providers.door();
    const state = await begin(client, provider);
    const answers = await Promise.all(Array.from({ length: 20 }, () => comeBack(client, provider, state)));
    expect(answers.filter(({ body }) => body.status === 'logged_in')).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'state_invalid')).toHaveLength(19);
  });

  it('is valid in each of several tabs of one browser', async () => {
    const client = service.client();
    const [one, other] = [providers.door(), providers.door()];
    const states = [await begin(client, one), await begin(client, other)];
    expect((await comeBack(client, one, states[0]!, { bind_mode: 'false' })).body.status).toBe('logged_in');
    expect((await comeBack(client, other, states[1]!)).body.status).toBe('logged_in');
  });

  const ends: [string, (provider: FakeProvider) => void][] = [
    ['disabled', (provider) => (provider.enabled = false)],
    [
      'changed',
      (provider) => {
        provider.change({ trustEmail: true });
      },
    ],
  ];

  it.each(ends)('is rejected when the provider is %s before it has responded', async (_, happen) => {
    const stranger = providers.add();
    stranger.person(unique('stranger'));
    // A known user would log in. An unknown one would get the offer to link an account.
    for (const provider of [providers.door(), stranger]) {
      const client = service.client();
      const state = await begin(client, provider);
      const { answer } = provider;
      provider.answer = () => {
        happen(provider);
        return answer();
      };
      await expectRejected(() => comeBack(client, provider, state), 'state_invalid');
    }
  });

  it.each(ends)('is rejected when the provider is %s during the user lookup', async (_, happen) => {
    const client = service.client();
    const provider = providers.door();
    const state = await begin(client, provider);
    const identities = service.app.get(IdentitiesService, { strict: false });
    const find = identities.find.bind(identities);
    const looked = jest.spyOn(identities, 'find').mockImplementationOnce((identity) => {
      happen(provider);
      return find(identity);
    });
    await expectRejected(() => comeBack(client, provider, state), 'state_invalid');
    looked.mockRestore();
  });

  it('sends the original parameters, and is stored as a digest with encrypted values', async () => {
    const client = service.client();
    const provider = providers.door();
    const state = await begin(client, provider);
    const [asked] = provider.asked;
    const [row] = await service.query('SELECT * FROM oauth_state WHERE nonce = $1', [asked!.nonce]);
    expect(JSON.stringify(row)).not.toContain(state);
    expect(JSON.stringify(row)).not.toContain(asked!.codeVerifier);
    expect(asked!.codeVerifier).toMatch(/^[\w-]{43,128}$/);
    await comeBack(client, provider, state, { code: 'the code', unknown: 'left out', iss: 'https://idp.example' });
    const { redirectUri, nonce, codeVerifier } = asked!;
    const params = { code: 'the code', state, iss: 'https://idp.example' };
    expect(provider.completed).toEqual([{ params, redirectUri, nonce, codeVerifier }]);
  });

  it('has no verifier when the provider does not support PKCE', async () => {
    const provider = providers.door({ pkce: false });
    await roundTrip(service.client(), provider);
    expect(provider.asked[0]).not.toHaveProperty('codeVerifier');
    expect(provider.completed[0]).not.toHaveProperty('codeVerifier');
  });
});

describe('a callback for account linking', () => {
  const begun = async (): Promise<{ client: TestClient; provider: FakeProvider; state: string; name: string }> => {
    const name = unique('binder');
    const client = await service.signUp(name);
    const provider = providers.door();
    return { client, provider, name, state: await beginBinding(client, provider) };
  };

  it.each<[string, (begun: { client: TestClient; name: string }) => Promise<unknown>]>([
    ['logged out', ({ client }) => client.post('/api/auth/logout')],
    [
      'is without its session cookies',
      async ({ client }) => [client.jar.delete('iam_access'), client.jar.delete('iam_refresh')],
    ],
    [
      'is logged in as another user',
      async ({ client }) => {
        const other = unique('else');
        await service.register(other);
        await service.logIn(other, undefined, client);
      },
    ],
    ['is in another session of the same user', ({ client, name }) => service.logIn(name, undefined, client)],
    [
      'belongs to a user who was disabled',
      ({ name }) => service.query(`UPDATE user_account SET status = 'disabled' WHERE username = $1`, [name]),
    ],
    [
      'had its session revoked from another one',
      async ({ name }) => (await service.logIn(name)).delete('/api/auth/sessions'),
    ],
  ])('links nothing when the browser %s', async (_, happen) => {
    const { client, provider, state, name } = await begun();
    await happen({ client, name });
    await service.app.get(UserCache, { strict: false }).invalidate(await idOf(name));
    await expectRejected(() => comeBack(client, provider, state), 'state_invalid');
  });

  it('links nothing for a user who must change the password first', async () => {
    const { client, provider, state, name } = await begun();
    await service.query('UPDATE user_account SET must_change_password = true WHERE username = $1', [name]);
    await service.app.get(UserCache, { strict: false }).invalidate(await idOf(name));
    await expectRejected(() => comeBack(client, provider, state), 'password_change_required');
  });

  it.each<[string, (begun: { client: TestClient; name: string }) => Promise<unknown>]>([
    ['the session has ended', async ({ name }) => (await service.logIn(name)).delete('/api/auth/sessions')],
    [
      'the user was disabled',
      ({ name }) => service.query(`UPDATE user_account SET status = 'disabled' WHERE username = $1`, [name]),
    ],
  ])('links nothing when %s before the provider has responded', async (_, happen) => {
    const { client, provider, state, name } = await begun();
    const { answer } = provider;
    provider.answer = async () => {
      await happen({ client, name });
      return answer();
    };
    await expectRejected(() => comeBack(client, provider, state), 'state_invalid');
  });

  it('links when the state hint matches in any spelling, and only then', async () => {
    const { client, provider, state } = await begun();
    await expectRejected(
      () => comeBack(client, provider, state, { bind_mode: true, BindMode: false }),
      'state_invalid',
    );
    const again = await beginBinding(client, provider);
    const { body } = await comeBack(client, provider, again, { bind_mode: true, BindMode: 'true' });
    expect(body).toEqual({ status: 'bound' });
  });

  it('requires a recent login to begin, and cannot begin by GET', async () => {
    const name = unique('late');
    await service.register(name);
    const client = await logInLongAgo(service, name);
    const { provider } = providers.door();
    const stale = await client.post<Problem>('/api/oauth/bind/start', { name: provider.name });
    expectProblem(stale, 401, 'reauthentication_required');
    expect((await client.get(`/api/oauth/bind/start?name=${provider.name}`)).status).toBe(404);
    expect((await service.client().post('/api/oauth/bind/start', { name: provider.name })).status).toBe(401);
  });

  it('navigates again when a cross-site form carried no session cookie', async () => {
    const { client, provider, state, name } = await begun();
    const path = `/api/oauth/callback/${provider.provider.name}`;
    const withoutSession = client.cookie
      .split('; ')
      .filter((pair) => !/^iam_(access|refresh)=/.test(pair))
      .join('; ');
    const posted = await comeBackByForm(
      client,
      path,
      { code: 'c', state, user: '{"name":{"firstName":"Ann"}}' },
      { cookie: withoutSession },
    );
    expect(posted.status).toBe(303);
    expect(locationOf(posted)).toBe(`${path}?code=c&state=${state}`);
    expect(await identitiesOf(name)).toBe(0);
    const back = await client.get(locationOf(posted));
    expect([back.status, locationOf(back)]).toEqual([302, '/']);
    expect(await identitiesOf(name)).toBe(1);
  });
});
