import { ANN, claimsOf, json, ProviderSimulator, signIdToken, TENANT } from '../support/provider-simulator';
import { Given, QuirkLogin } from '../support/quirk-login';

let simulator: ProviderSimulator;

beforeAll(async () => {
  simulator = await ProviderSimulator.start();
});

afterAll(() => simulator.stop());

afterEach(() => {
  simulator.restore();
  simulator.someone = ANN;
});

const login = (template: string, given?: Given): QuirkLogin => new QuirkLogin(simulator, template, given);

it.each(['github', 'google', 'gitlab', 'gitee', 'apple', 'oauth2', 'oidc'])(
  'an e-mail of which %s says that it is not verified is none',
  async (template) => {
    simulator.someone = { ...ANN, emailVerified: false };
    expect(await login(template).profile()).toMatchObject({ emailVerified: false });
  },
);

it('whatever is asked of a provider is asked for in JSON, by somebody with a name', async () => {
  for (const template of ['github', 'oidc', 'wechat', 'alipay', 'feishu']) {
    const way = await login(template).begin();
    simulator.asked.length = 0;
    await login(template).profile();
    const others = simulator.asked.filter(({ path }) => path !== way.pathname);
    expect(others.length).toBeGreaterThan(1);
    for (const { headers } of others) {
      expect(headers).toMatchObject({ 'user-agent': 'castellan', accept: expect.stringMatching(/json$/) as string });
    }
  }
});

describe('the e-mails of GitHub', () => {
  const emails = 'GET /github/user/emails';

  it.each([401, 403, 404])('may be kept from an app that has no permission for them (%d)', async (status) => {
    simulator.override(emails, () => json({ message: 'Resource not accessible by integration' }, status));
    const profile = await login('github').profile();
    expect(profile).toMatchObject({ nickname: ANN.name, emailVerified: false });
    expect(profile).not.toHaveProperty('email');
  });

  it.each<[string, () => ReturnType<typeof json>, string]>([
    ['another status', () => json({}, 500), 'e-mails: status 500'],
    ['no list', () => json({ emails: [] }), 'e-mails: no list'],
    ['no JSON', () => ({ body: '<html>' }), 'e-mails: no list'],
  ])('end the login where %s is answered', async (_, answer, reason) => {
    simulator.override(emails, answer);
    expect(await login('github').failure()).toBe(reason);
  });

  it('lend their word to no other address: an entry without one vouches for nothing', async () => {
    const github = login('github');
    github.alterJson('GET /github/user', (user) => ({ ...user, email: 'public@idp.example' }));
    simulator.override(emails, () => json([{ primary: true, verified: true }]));
    expect(await github.profile()).toMatchObject({ email: 'public@idp.example', emailVerified: false });
  });

  it('are asked for with the name of the caller, and GitHub’s own media type', async () => {
    simulator.asked.length = 0;
    await login('github').profile();
    const { headers } = simulator.asked.find(({ path }) => path === '/github/user/emails')!;
    expect(headers).toMatchObject({ 'user-agent': 'castellan', accept: 'application/vnd.github+json' });
  });

  it('are not those of whoever has no name: the login name stands in', async () => {
    const github = login('github');
    github.alterJson('GET /github/user', (user) => ({ ...user, name: null }));
    expect((await github.profile()).nickname).toBe('ann');
  });
});

it('the e-mail of Gitee is the primary one, not another that is confirmed', async () => {
  simulator.override('GET /gitee/api/v5/emails', () =>
    json([
      { email: 'other@idp.example', state: 'confirmed', scope: ['committer'] },
      { email: ANN.email, state: 'confirmed', scope: ['primary'] },
    ]),
  );
  expect(await login('gitee').profile()).toMatchObject({ email: ANN.email, emailVerified: true });
});

it('an e-mail of Gitee without an address vouches for nothing', async () => {
  const gitee = login('gitee');
  gitee.alterJson('GET /gitee/api/v5/user', (user) => ({ ...user, email: 'public@idp.example' }));
  simulator.override('GET /gitee/api/v5/emails', () => json([{ state: 'confirmed', scope: ['primary'] }]));
  expect(await gitee.profile()).toMatchObject({ email: 'public@idp.example', emailVerified: false });
});

it('the nickname of GitLab is the name, and the user’s where there is none', async () => {
  const gitlab = login('gitlab');
  gitlab.alterJson('GET /gitlab/oauth/userinfo', (user) => ({ ...user, name: undefined }));
  expect((await gitlab.profile()).nickname).toBe('ann');
});

describe('Microsoft', () => {
  /** Has the token endpoint sign what a tenant might write. */
  const writes = (change: (claims: Record<string, unknown>) => object): void => {
    simulator.override('POST /common/v2.0/token', async ({ form }) => {
      const grant = simulator.spend(form['code'], { verifier: form['code_verifier'] })!;
      const claims = claimsOf(grant, `${simulator.url}/${TENANT}/v2.0`);
      const idToken = await signIdToken({ ...claims, tid: TENANT, oid: 'the-oid', ...change(claims) });
      return json({ access_token: simulator.token(grant), token_type: 'Bearer', id_token: idToken });
    });
  };
  const discovered = (issuer: string, microsoft: QuirkLogin): void => {
    microsoft.alterJson('GET /common/v2.0/.well-known/openid-configuration', (document) => ({ ...document, issuer }));
  };

  it('names a tenant in each token, and that tenant alone', async () => {
    writes(() => ({}));
    expect((await login('microsoft').profile()).issuer).toBe(`${simulator.url}/${TENANT}/v2.0`);
    writes(() => ({ tid: TENANT.replace('9', '8') }));
    expect(await login('microsoft').failure()).toMatch(/^id_token/);
  });

  it.each(['common', '../evil', '', 7, undefined])('is not believed where the tenant is %j', async (tid) => {
    writes(() => ({ tid, iss: `${simulator.url}/${String(tid ?? '{tenantid}')}/v2.0` }));
    expect(await login('microsoft').failure()).toMatch(/^id_token/);
  });

  it.each(['https://evil.example/{tenantid}/v2.0', 'rubbish'])('is not discovered as %s', async (issuer) => {
    const microsoft = login('microsoft');
    discovered(issuer, microsoft);
    expect(await microsoft.failure()).toBe('discovery: another issuer');
  });

  it('has no verified e-mail, whatever a tenant writes and an operator maps', async () => {
    writes(() => ({ email_verified: true, xms_edov: true }));
    for (const given of [{}, { mapping: { email_verified: 'email_verified' } }]) {
      expect(await login('microsoft', given).profile()).toMatchObject({ email: ANN.email, emailVerified: false });
    }
  });
});

describe('Apple', () => {
  it('is believed without the name, which comes once and by way of the browser', async () => {
    for (const user of ['no JSON', '[]', '{"name":7}', '{"name":{"firstName":7}}', '{}']) {
      expect(await login('apple').profile((params) => ({ ...params, user }))).not.toHaveProperty('nickname');
    }
    const user = JSON.stringify({ name: { firstName: 'Ann', lastName: 'A.' }, email: 'evil@idp.example' });
    const named = await login('apple').profile((params) => ({ ...params, user }));
    expect(named).toMatchObject({ nickname: 'Ann A.', email: ANN.email });
  });
});

describe('OpenID Connect', () => {
  const DOCUMENT = 'GET /oidc/.well-known/openid-configuration';
  const USERINFO = 'GET /oidc/userinfo';

  it.each<[string[] | undefined, 'form' | 'header']>([
    [undefined, 'header'],
    [['client_secret_basic'], 'header'],
    [['client_secret_post', 'client_secret_basic'], 'form'],
  ])('shows the secret as discovery offers it: %j by %s', async (methods, way) => {
    const oidc = login('oidc');
    oidc.alterJson(DOCUMENT, (document) => ({ ...document, token_endpoint_auth_methods_supported: methods }));
    simulator.asked.length = 0;
    await oidc.profile();
    const { form } = simulator.asked.find(({ path }) => path === '/oidc/token')!;
    expect('client_secret' in form).toBe(way === 'form');
  });

  it('sends a public client’s id in the form, and no secret', async () => {
    for (const template of ['oidc', 'oauth2']) {
      simulator.asked.length = 0;
      await login(template, { client_secret: '' }).failure();
      const { form, headers } = simulator.asked.find(({ path }) => path === `/${template}/token`)!;
      expect([form['client_id'] !== undefined, 'client_secret' in form, headers.authorization]).toEqual([
        true,
        false,
        undefined,
      ]);
    }
  });

  it('asks for the document below the issuer, with or without a slash at its end, once', async () => {
    const oidc = login('oidc', { issuer: `${simulator.url}/oidc/` });
    oidc.alterJson(DOCUMENT, (document) => ({ ...document, issuer: `${simulator.url}/oidc/` }));
    simulator.asked.length = 0;
    await oidc.begin();
    await oidc.begin();
    expect(simulator.asked.map(({ path }) => path)).toEqual(['/oidc/.well-known/openid-configuration']);
  });

  it('asks for the document once, however many logins begin before it is there', async () => {
    const oidc = login('oidc');
    simulator.asked.length = 0;
    await Promise.all(Array.from({ length: 30 }, () => oidc.begin()));
    expect(simulator.asked.map(({ path }) => path)).toEqual(['/oidc/.well-known/openid-configuration']);
  });

  it('follows a document that changed, once an hour', async () => {
    const oidc = login('oidc');
    expect((await oidc.begin()).pathname).toBe('/oidc/authorize');
    oidc.alterJson(DOCUMENT, (document) => ({ ...document, authorization_endpoint: `${simulator.url}/oidc/moved` }));
    expect((await oidc.begin()).pathname).toBe('/oidc/authorize');
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000);
    try {
      expect((await oidc.begin()).pathname).toBe('/oidc/moved');
    } finally {
      clock.mockRestore();
    }
  });

  it('never joins an e-mail of one answer with the word of another that it is verified', async () => {
    const oidc = login('oidc');
    oidc.alterJson(USERINFO, ({ sub }) => ({ sub, email: 'other@idp.example' }));
    expect(await oidc.profile()).toMatchObject({ email: 'other@idp.example', emailVerified: false });
    oidc.alterJson(USERINFO, ({ sub }) => ({ sub, email_verified: true }));
    simulator.someone = { ...ANN, emailVerified: false };
    expect(await oidc.profile()).toMatchObject({ email: ANN.email, emailVerified: false });
  });

  it('keeps the e-mail of the id_token where the user info has none', async () => {
    const oidc = login('oidc');
    oidc.alterJson(USERINFO, ({ sub }) => ({ sub }));
    expect(await oidc.profile()).toMatchObject({ email: ANN.email, emailVerified: true });
  });
});

describe('OAuth 2.0', () => {
  it('finds whoever has an id and no sub', async () => {
    const oauth2 = login('oauth2');
    oauth2.alterJson('GET /oauth2/me', ({ sub, ...rest }) => ({ ...rest, id: Number(sub) }));
    expect((await oauth2.profile()).subjects).toEqual([{ claim: 'id', value: ANN.id }]);
  });

  it('may call people what it likes: only what can be shown is kept', async () => {
    const oauth2 = login('oauth2');
    oauth2.alterJson('GET /oauth2/me', (user) => ({ ...user, name: ' \u202eev\u0007il\u2028 ' }));
    expect((await oauth2.profile()).nickname).toBe('evil');
  });

  it.each(['client_secret_post', 'client_secret_basic'])('sees an error with status 200 (%s)', async (client_auth) => {
    simulator.override('POST /oauth2/token', () => json({ error: 'bad_code', access_token: 'x' }));
    expect(await login('oauth2', { params: { client_auth } }).failure()).toBe('token (bad_code)');
  });

  it('takes a refusal for a refusal, and a callback without a code as well', async () => {
    expect(await login('oauth2').failure(({ state }) => ({ state }))).toBe('provider_denied');
    expect(await login('oauth2').failure((params) => ({ ...params, error: 'access_denied' }))).toBe('provider_denied');
  });
});
