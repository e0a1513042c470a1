import { IdentityProviderRegistry } from '../../src/oauth/login';
import type { ExternalProfile } from '../../src/oauth/login';
import { ANN, CLIENT_ID, CLIENT_SECRET, ProviderSimulator, TENANT, vendors } from '../support/provider-simulator';
import { OpenIdProvider, REAL_CLIENT } from '../support/oauth/openid-provider';
import { bringBack, logInThrough } from '../support/oauth/simulated-login';
import { TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let simulator: ProviderSimulator;
let admin: TestClient;

withService(async (started) => {
  service = started;
  simulator = await ProviderSimulator.start();
  admin = await service.admin();
  for (const { template } of vendors) {
    const answer = await admin.post('/api/oauth/provider', simulator.configuration(template));
    if (answer.status !== 201) throw new Error(`${template}: ${answer.text}`);
  }
});

afterAll(() => simulator.stop());

afterEach(() => {
  simulator.restore();
  simulator.asked.length = 0;
});

const JSON_WANTED = { headers: { accept: 'application/json' } };
const contact = { email: 'ann@idp.example', emailVerified: true };
const unproven = { ...contact, emailVerified: false };
const shown = { nickname: '安安 Ann', avatar: 'https://pictures.example/ann.png' };
const phone = '+8613800138000';

/** Expected profile of the same user at each provider. Issuers are below the address of the simulator. */
const people: Record<string, object> = {
  github: { issuer: 'https://github.com', subjects: [{ claim: 'id', value: '4711' }], ...contact, ...shown },
  google: { issuer: '/google', subjects: [{ claim: 'sub', value: '4711' }], ...contact, ...shown },
  microsoft: {
    issuer: `/${TENANT}/v2.0`,
    subjects: [
      { claim: 'oid', value: '00000000-0000-0000-0000-000000004711' },
      { claim: 'sub', value: 'pairwise-4711' },
    ],
    ...unproven,
    nickname: shown.nickname,
  },
  gitlab: { issuer: '/gitlab', subjects: [{ claim: 'sub', value: '4711' }], ...contact, ...shown },
  gitee: { issuer: 'https://gitee.com', subjects: [{ claim: 'id', value: '4711' }], ...contact, ...shown },
  apple: { issuer: '/apple', subjects: [{ claim: 'sub', value: '4711' }], ...contact, nickname: '安安 Ann A.' },
  feishu: {
    issuer: '/feishu/tenant1',
    subjects: [
      { claim: 'union_id', value: 'on_4711' },
      { claim: 'open_id', value: 'ou_4711' },
    ],
    phone,
    ...unproven,
    ...shown,
  },
  dingtalk: {
    issuer: 'https://login.dingtalk.com',
    subjects: [
      { claim: 'unionId', value: 'union-4711' },
      { claim: 'openId', value: 'open-4711' },
    ],
    phone,
    ...unproven,
    ...shown,
  },
  wecom: {
    issuer: `https://work.weixin.qq.com/${CLIENT_ID}`,
    subjects: [{ claim: 'userid', value: '4711' }],
    phone,
    ...unproven,
    ...shown,
  },
  wechat: {
    issuer: 'https://open.weixin.qq.com',
    subjects: [
      { claim: 'unionid', value: 'unionid-4711' },
      { claim: 'openid', value: 'openid-4711' },
    ],
    emailVerified: false,
    ...shown,
  },
  qq: {
    issuer: 'https://graph.qq.com',
    subjects: [
      { claim: 'unionid', value: 'UID_4711' },
      { claim: 'openid', value: 'OPENID4711' },
    ],
    emailVerified: false,
    ...shown,
  },
  alipay: {
    issuer: 'https://openauth.alipay.com',
    subjects: [
      { claim: 'open_id', value: 'open4711' },
      { claim: 'user_id', value: '20884711' },
    ],
    emailVerified: false,
    ...shown,
    nickname: '安安 Ann {"}',
  },
  oauth2: { issuer: '', subjects: [{ claim: 'sub', value: '4711' }], ...contact, ...shown },
  oidc: { issuer: '/oidc', subjects: [{ claim: 'sub', value: '4711' }], ...contact, ...shown },
};

const REDIRECT_URI = 'https://id.example.com/api/oauth/callback/x';

/** Runs the login of the adapter without the flow of the service. */
async function profileFrom(name: string): Promise<ExternalProfile> {
  const { provider, identityProvider } = (await service.app
    .get(IdentityProviderRegistry, { strict: false })
    .find(name))!;
  const codeVerifier = provider.pkce ? { codeVerifier: 'v'.repeat(43) } : {};
  const common = { redirectUri: REDIRECT_URI, nonce: 'the nonce', ...codeVerifier };
  const { params } = await simulator.visit(await identityProvider.authorizeUrl({ ...common, state: 'the state' }));
  expect(params['state']).toBe('the state');
  return identityProvider.complete({ ...common, params });
}

describe.each(vendors.map(({ template }) => template))('%s', (template) => {
  it('returns the profile of the user', async () => {
    const { issuer, ...profile } = await profileFrom(template);
    expect({ issuer: issuer.replace(simulator.url, ''), ...profile }).toEqual(people[template]);
  });

  it('logs a user in, links a new account and recognizes the user again', async () => {
    const newcomer = service.client();
    const first = await logInThrough(newcomer, simulator, template);
    expect([first.status, first.body.status]).toEqual([200, 'bind_required']);
    const registration = { temp_token: first.body.temp_token, username: `ann_${template}`, password: PASSWORD };
    expect((await newcomer.post('/api/oauth/bind/register', registration)).status).toBe(201);
    const again = await logInThrough(service.client(), simulator, template);
    expect([again.status, again.body.status]).toEqual([200, 'logged_in']);
  });
});

describe.each(vendors.map(({ template }) => template))('%s for a logged-in user', (template) => {
  it('is linked to the account of the user and logs that user in', async () => {
    simulator.someone = { ...ANN, id: '4712' };
    try {
      const client = await service.signUp(`bob_${template}`);
      const start = await client.post<{ redirect: string }>('/api/oauth/bind/start', { name: template });
      const back = await bringBack(client, await simulator.visit(start.body.redirect));
      const bound = back.status === 303 ? await client.get(String(back.headers['location']), JSON_WANTED) : back;
      expect(bound.body).toEqual({ status: 'bound' });
      const again = service.client();
      expect((await logInThrough(again, simulator, template)).body.status).toBe('logged_in');
      expect((await again.get<{ username: string }>('/api/auth/me')).body.username).toBe(`bob_${template}`);
    } finally {
      simulator.someone = ANN;
    }
  });
});

describe('a certified OpenID provider package', () => {
  const callback = '/api/oauth/callback/real';
  let provider: OpenIdProvider;

  beforeAll(async () => {
    provider = await OpenIdProvider.start([`http://localhost${callback}`, `http://localhost:80${callback}`]);
    const answer = await admin.post('/api/oauth/provider', {
      name: 'real',
      label: 'Real',
      template: 'oidc',
      issuer: provider.issuer,
      scopes: ['openid', 'email', 'profile'],
      ...REAL_CLIENT,
    });
    expect(answer.text).toContain('"name":"real"');
  });

  afterAll(() => provider.stop());

  async function logIn(client: TestClient, login: string): ReturnType<typeof bringBack> {
    const { headers } = await client.get('/api/oauth/login/real');
    const params = await provider.visit(new URL(String(headers['location'])), login);
    return bringBack(client, { method: 'GET', url: `http://localhost${callback}?${params.toString()}`, params: {} });
  }

  it('logs a user in, links a new account and recognizes the user again', async () => {
    const newcomer = service.client();
    const first = await logIn(newcomer, 'rosa');
    expect(first.body).toMatchObject({
      status: 'bind_required',
      profile: { email: 'rosa@idp.example', email_verified: true, nickname: 'rosa of the provider' },
    });
    const registration = { temp_token: first.body.temp_token, username: 'rosa', password: PASSWORD };
    expect((await newcomer.post('/api/oauth/bind/register', registration)).status).toBe(201);
    expect((await logIn(service.client(), 'rosa')).body.status).toBe('logged_in');
    expect((await logIn(service.client(), 'somebody_else')).body.status).toBe('bind_required');
  });
});

it('keeps secrets, codes and tokens out of the log', () => {
  const lines = service.logLines.join('\n');
  expect(lines).not.toContain(CLIENT_SECRET);
  expect(lines).not.toContain('PRIVATE KEY');
});

describe('templates', () => {
  it('have labels and help in both languages for all fields', async () => {
    interface Template {
      template: string;
      help: string;
      fields: { name: string; label: string; help: string; secret: boolean }[];
    }
    for (const language of ['en', 'zh']) {
      const { body } = await admin.get<{ items: Template[] }>(`/api/oauth/template?lang=${language}`);
      expect(body.items.map(({ template }) => template)).toEqual(
        'github google microsoft gitlab gitee apple feishu dingtalk wecom wechat qq alipay oauth2 oidc'.split(' '),
      );
      const texts = body.items.flatMap(({ help, fields }) => [help, ...fields.map((field) => field.help)]);
      expect(texts.filter((text) => /^(help|fields)\./.test(text))).toEqual([]);
      expect(texts.every((text) => /\p{Script=Han}/u.test(text) === (language === 'zh'))).toBe(true);
      const apple = body.items.find(({ template }) => template === 'apple')!;
      expect(apple.fields.map(({ name, secret }) => [name, secret])).toEqual([
        ['client_id', false],
        ['client_secret', true],
        ['params.team_id', false],
        ['params.key_id', false],
      ]);
    }
  });

  it('say which provider answers by a form, and which ones never vouch for an e-mail address', async () => {
    interface Template {
      template: string;
      form_post: boolean;
      vouches_for_email: boolean;
    }
    const { items } = (await admin.get<{ items: Template[] }>('/api/oauth/template')).body;
    const named = (chosen: Template[]): string[] => chosen.map(({ template }) => template);
    expect(named(items.filter((item) => item.form_post))).toEqual(['apple']);
    expect(named(items.filter((item) => !item.vouches_for_email))).toEqual(
      'microsoft feishu dingtalk wecom wechat qq alipay'.split(' '),
    );
  });
});
