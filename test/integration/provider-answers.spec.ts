import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { ANN, claimsOf, CLIENT_ID, json, ProviderSimulator, signIdToken, TENANT } from '../support/provider-simulator';
import { Given, QuirkLogin } from '../support/oauth/quirk-login';

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
  'ignores an e-mail that %s marks as not verified',
  async (template) => {
    simulator.someone = { ...ANN, emailVerified: false };
    expect(await login(template).profile()).toMatchObject({ emailVerified: false });
  },
);

it('requests to a provider accept JSON and have a User-Agent', async () => {
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

describe('e-mails of GitHub', () => {
  const emails = 'GET /github/user/emails';

  it.each([401, 403, 404])('are optional for an app without permission for them (%d)', async (status) => {
    simulator.override(emails, () => json({ message: 'Resource not accessible by integration' }, status));
    const profile = await login('github').profile();
    expect(profile).toMatchObject({ nickname: ANN.name, emailVerified: false });
    expect(profile).not.toHaveProperty('email');
  });

  it.each<[string, () => ReturnType<typeof json>, string]>([
    ['another status', () => json({}, 500), 'e-mails: status 500'],
    ['no list', () => json({ emails: [] }), 'e-mails: not a list'],
    ['no JSON', () => ({ body: '<html>' }), 'e-mails: not a list'],
  ])('end the login after %s', async (_, answer, reason) => {
    simulator.override(emails, answer);
    expect(await login('github').failure()).toBe(reason);
  });

  it('do not verify another address when an entry has none', async () => {
    const github = login('github');
    github.alterJson('GET /github/user', (user) => ({ ...user, email: 'public@idp.example' }));
    simulator.override(emails, () => json([{ primary: true, verified: true }]));
    expect(await github.profile()).toMatchObject({ email: 'public@idp.example', emailVerified: false });
  });

  it('are requested with a User-Agent and GitHub’s media type', async () => {
    simulator.asked.length = 0;
    await login('github').profile();
    const { headers } = simulator.asked.find(({ path }) => path === '/github/user/emails')!;
    expect(headers).toMatchObject({ 'user-agent': 'castellan', accept: 'application/vnd.github+json' });
  });

  it('are accompanied by the login name as nickname when there is no name', async () => {
    const github = login('github');
    github.alterJson('GET /github/user', (user) => ({ ...user, name: null }));
    expect((await github.profile()).nickname).toBe('ann');
  });
});

it('the e-mail of Gitee is the primary one, not another confirmed one', async () => {
  simulator.override('GET /gitee/api/v5/emails', () =>
    json([
      { email: 'other@idp.example', state: 'confirmed', scope: ['committer'] },
      { email: ANN.email, state: 'confirmed', scope: ['primary'] },
    ]),
  );
  expect(await login('gitee').profile()).toMatchObject({ email: ANN.email, emailVerified: true });
});

it('an e-mail entry of Gitee without an address verifies nothing', async () => {
  const gitee = login('gitee');
  gitee.alterJson('GET /gitee/api/v5/user', (user) => ({ ...user, email: 'public@idp.example' }));
  simulator.override('GET /gitee/api/v5/emails', () => json([{ state: 'confirmed', scope: ['primary'] }]));
  expect(await gitee.profile()).toMatchObject({ email: 'public@idp.example', emailVerified: false });
});

it('the nickname of GitLab is the name, otherwise the username', async () => {
  const gitlab = login('gitlab');
  gitlab.alterJson('GET /gitlab/oauth/userinfo', (user) => ({ ...user, name: undefined }));
  expect((await gitlab.profile()).nickname).toBe('ann');
});

describe('Microsoft', () => {
  /** Lets the token endpoint sign claims that a tenant could choose. */
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

  it('accepts a token only with a tenant, and only of that tenant', async () => {
    writes(() => ({}));
    expect((await login('microsoft').profile()).issuer).toBe(`${simulator.url}/${TENANT}/v2.0`);
    writes(() => ({ tid: TENANT.replace('9', '8') }));
    expect(await login('microsoft').failure()).toMatch(/^id_token/);
  });

  it.each(['common', '../evil', '', 7, undefined])('rejects a token with the tenant %j', async (tid) => {
    writes(() => ({ tid, iss: `${simulator.url}/${String(tid ?? '{tenantid}')}/v2.0` }));
    expect(await login('microsoft').failure()).toMatch(/^id_token/);
  });

  it.each(['https://evil.example/{tenantid}/v2.0', 'rubbish'])('rejects the discovered issuer %s', async (issuer) => {
    const microsoft = login('microsoft');
    discovered(issuer, microsoft);
    expect(await microsoft.failure()).toBe('discovery: different issuer');
  });

  it('never has a verified e-mail, whatever claims and mapping say', async () => {
    writes(() => ({ email_verified: true, xms_edov: true }));
    for (const given of [{}, { mapping: { email_verified: 'email_verified' } }]) {
      expect(await login('microsoft', given).profile()).toMatchObject({ email: ANN.email, emailVerified: false });
    }
  });
});

describe('Apple', () => {
  it('accepts a login without the name, which the browser sends only once', async () => {
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
  ])('uses the client authentication of the discovery document: %j by %s', async (methods, way) => {
    const oidc = login('oidc');
    oidc.alterJson(DOCUMENT, (document) => ({ ...document, token_endpoint_auth_methods_supported: methods }));
    simulator.asked.length = 0;
    await oidc.profile();
    const { form } = simulator.asked.find(({ path }) => path === '/oidc/token')!;
    expect('client_secret' in form).toBe(way === 'form');
  });

  it('sends the id of a public client in the form, without a secret', async () => {
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

  it('requests the document below the issuer once, with or without a trailing slash', async () => {
    const oidc = login('oidc', { issuer: `${simulator.url}/oidc/` });
    oidc.alterJson(DOCUMENT, (document) => ({ ...document, issuer: `${simulator.url}/oidc/` }));
    simulator.asked.length = 0;
    await oidc.begin();
    await oidc.begin();
    expect(simulator.asked.map(({ path }) => path)).toEqual(['/oidc/.well-known/openid-configuration']);
  });

  it('requests the document once for concurrent logins', async () => {
    const oidc = login('oidc');
    simulator.asked.length = 0;
    await Promise.all(Array.from({ length: 30 }, () => oidc.begin()));
    expect(simulator.asked.map(({ path }) => path)).toEqual(['/oidc/.well-known/openid-configuration']);
  });

  it('refreshes the document once an hour', async () => {
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

  it('never combines the e-mail of one response with the verification of another', async () => {
    const oidc = login('oidc');
    oidc.alterJson(USERINFO, ({ sub }) => ({ sub, email: 'other@idp.example' }));
    expect(await oidc.profile()).toMatchObject({ email: 'other@idp.example', emailVerified: false });
    oidc.alterJson(USERINFO, ({ sub }) => ({ sub, email_verified: true }));
    simulator.someone = { ...ANN, emailVerified: false };
    expect(await oidc.profile()).toMatchObject({ email: ANN.email, emailVerified: false });
  });

  it('keeps the e-mail of the id_token when userinfo has none', async () => {
    const oidc = login('oidc');
    oidc.alterJson(USERINFO, ({ sub }) => ({ sub }));
    expect(await oidc.profile()).toMatchObject({ email: ANN.email, emailVerified: true });
  });

  it.each([401, 403, 404])('uses the id_token alone when userinfo answers %d', async (status) => {
    simulator.override(USERINFO, () => json({ error: 'invalid_token' }, status));
    expect(await login('oidc').profile()).toMatchObject({ email: ANN.email, emailVerified: true });
  });

  it.each([400, 500])('ends the login when userinfo answers %d', async (status) => {
    simulator.override(USERINFO, () => json({}, status));
    expect(await login('oidc').failure()).toBe(`user info: status ${status}`);
  });

  it.each(['', null])('takes userinfo_endpoint %j for none', async (userinfo_endpoint) => {
    const oidc = login('oidc');
    oidc.alterJson(DOCUMENT, (document) => ({ ...document, userinfo_endpoint }));
    simulator.asked.length = 0;
    expect(await oidc.profile()).toMatchObject({ email: ANN.email });
    expect(simulator.asked.map(({ path }) => path)).not.toContain('/oidc/userinfo');
  });

  it('reads a signed response of userinfo, and rejects one of another key', async () => {
    const about = { sub: ANN.id, email: 'signed@idp.example', email_verified: true, iss: `${simulator.url}/oidc` };
    const signedBy = (key?: KeyObject, signed: object = { ...about, aud: CLIENT_ID }): void => {
      simulator.override(USERINFO, async () => ({
        type: 'application/jwt',
        body: await signIdToken({ ...signed }, key && { key }),
      }));
    };
    signedBy();
    expect(await login('oidc').profile()).toMatchObject({ email: 'signed@idp.example', emailVerified: true });
    signedBy(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
    expect(await login('oidc').failure()).toBe('user info (ERR_JWS_SIGNATURE_VERIFICATION_FAILED)');
    signedBy(undefined, about);
    expect(await login('oidc').failure()).toBe('user info (aud)');
  });

  it('ignores a byte order mark before JSON', async () => {
    const oidc = login('oidc');
    for (const route of [DOCUMENT, USERINFO, 'POST /oidc/token', 'GET /oidc/keys']) {
      oidc.alter(route, (answer) => ({ ...answer, body: `\ufeff${answer.body}` }));
    }
    expect(await oidc.profile()).toMatchObject({ email: ANN.email });
  });

  it.each(['client_secret_post', 'client_secret_basic'])(
    'reads a token response in a form (%s)',
    async (client_auth) => {
      const oidc = login('oidc', { params: { client_auth } });
      oidc.alter('POST /oidc/token', (answer) => ({
        type: 'application/x-www-form-urlencoded',
        body: new URLSearchParams(JSON.parse(answer.body) as Record<string, string>).toString(),
      }));
      expect((await oidc.profile()).email).toBe(ANN.email);
    },
  );

  it('does not take a mailbox that only looks like another for verified', async () => {
    const oidc = login('oidc');
    oidc.alterJson(USERINFO, ({ sub }) => ({ sub, email: 'ａnn@idp.example', email_verified: true }));
    expect(await oidc.profile()).toMatchObject({ email: 'ann@idp.example', emailVerified: false });
  });
});

describe('OAuth 2.0', () => {
  it.each(['1234567890123456789', '-9223372036854775808', '18446744073709551615'])(
    'keeps all digits of the id %s',
    async (id) => {
      const oauth2 = login('oauth2');
      oauth2.alter('GET /oauth2/me', (answer) => ({ ...answer, body: `{"id":${id},"name":"Ann"}` }));
      expect((await oauth2.profile()).subjects).toEqual([{ claim: 'id', value: id }]);
    },
  );

  it.each([
    ['https://idp.example/a b.png', 'https://idp.example/a%20b.png'],
    ['https://idp.example/头像.png', 'https://idp.example/%E5%A4%B4%E5%83%8F.png'],
    ['http://idp.example/"x".png ', 'https://idp.example/%22x%22.png'],
    ['https://例え.jp/a.png', 'https://xn--r8jz45g.jp/a.png'],
    ['https://ann:secret@idp.example/a.png', undefined],
    ['data:image/png;base64,AAAA', undefined],
  ])('reads the picture %s', async (picture, avatar) => {
    const oauth2 = login('oauth2');
    oauth2.alterJson('GET /oauth2/me', (user) => ({ ...user, picture }));
    expect((await oauth2.profile()).avatar).toBe(avatar);
  });

  it('keeps the joiners of names', async () => {
    for (const name of ['👨‍👩‍👧‍👦', 'علی\u200cرضا', 'क्‍ष']) {
      const oauth2 = login('oauth2');
      oauth2.alterJson('GET /oauth2/me', (user) => ({ ...user, name }));
      expect((await oauth2.profile()).nickname).toBe(name);
    }
  });

  it('finds the user by id when there is no sub', async () => {
    const oauth2 = login('oauth2');
    oauth2.alterJson('GET /oauth2/me', ({ sub, ...rest }) => ({ ...rest, id: Number(sub) }));
    expect((await oauth2.profile()).subjects).toEqual([{ claim: 'id', value: ANN.id }]);
  });

  it('removes invisible characters from a name', async () => {
    const oauth2 = login('oauth2');
    oauth2.alterJson('GET /oauth2/me', (user) => ({ ...user, name: ' \u202eev\u0007il\u2028 ' }));
    expect((await oauth2.profile()).nickname).toBe('evil');
  });

  it.each(['client_secret_post', 'client_secret_basic'])(
    'detects an error with status 200 (%s)',
    async (client_auth) => {
      simulator.override('POST /oauth2/token', () => json({ error: 'bad_code', access_token: 'x' }));
      expect(await login('oauth2', { params: { client_auth } }).failure()).toBe('token (bad_code)');
    },
  );

  it('reports an error callback, and one without a code, as denied', async () => {
    expect(await login('oauth2').failure(({ state }) => ({ state }))).toBe('provider_denied');
    expect(await login('oauth2').failure((params) => ({ ...params, error: 'access_denied' }))).toBe('provider_denied');
  });
});
