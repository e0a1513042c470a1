import { allowPrivateProviders } from '../../src/platform/outbound';
import { expectProblem } from '../support/service/expect-problem';
import { userWith } from '../support/accounts/holders';
import { CLIENT_SECRET, json, ProviderSimulator } from '../support/provider-simulator';
import { bringBack, consent, logInThrough } from '../support/oauth/simulated-login';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Provider {
  readonly id: string;
  readonly name: string;
  readonly client_secret_set: boolean;
  readonly label: string;
  readonly issuer: string | null;
  readonly authorize_url: string | null;
  readonly mapping: Record<string, string | null>;
  readonly callback_url: string;
}
type Given = Answer<Provider & Problem>;

const PATH = '/api/oauth/provider';
const GITHUB = { name: 'gh', label: 'GitHub', template: 'github', client_id: 'id', client_secret: 'a-secret-text' };

let service: TestService;
let simulator: ProviderSimulator;
let admin: TestClient;
let limited: TestClient;

withService(async (started) => {
  service = started;
  simulator = await ProviderSimulator.start();
  admin = await service.admin();
  const names = ['read', 'create', 'update', 'delete'].map((action) => `oauth_provider:${action}`);
  limited = (await userWith(service, admin, 'limited', ...names)).client;
});

afterAll(() => simulator.stop());

let made = 0;
const create = (body: object, client = admin): Promise<Given> => client.post(PATH, { ...GITHUB, ...body });
const fresh = async (body: object = {}, client = admin): Promise<Provider> => {
  const answer = await create({ name: `p${++made}`, ...body }, client);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
};
const change = (id: string, body: object, client = admin): Promise<Given> => client.patch(`${PATH}/${id}`, body);
const problems = ({ body }: Given): string[] => (body.errors ?? []).map(({ field, code }) => `${field} ${code}`);
const simulated = (template: string, more: object = {}): Promise<Provider> =>
  fresh({ ...simulator.configuration(template), name: `p${++made}`, ...more });

async function withoutPrivateProviders<T>(run: () => Promise<T>): Promise<T> {
  await service.set(allowPrivateProviders, false);
  try {
    return await run();
  } finally {
    await service.set(allowPrivateProviders, true);
  }
}

describe('login provider', () => {
  it('takes omitted fields from its template, and is changed, listed and deleted', async () => {
    const made = await create({ name: 'first' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      authorize_url: 'https://github.com/login/oauth/authorize',
      scopes: ['read:user', 'user:email'],
      pkce: true,
      enabled: true,
      client_secret_set: true,
    });
    expect(made.body.callback_url).toMatch(/^https?:\/\/[^/]+\/api\/oauth\/callback\/first$/);
    const changed = await change(made.body.id, { label: 'Other', mapping: { nickname: 'login' }, sort: -1 });
    expect(changed.body).toMatchObject({ label: 'Other', mapping: { subject: 'id', nickname: 'login' } });
    const list = await admin.get<{ items: Provider[] }>(PATH);
    expect(list.body.items[0]).toEqual(changed.body);
    expect((await admin.get(`${PATH}/${made.body.id}`)).body).toEqual(changed.body);
    expectProblem(await create({ name: 'first' }), 409, 'name_taken');
    expect((await admin.delete(`${PATH}/${made.body.id}`)).status).toBe(204);
    expectProblem(await admin.get<Problem>(`${PATH}/${made.body.id}`), 404, 'not_found');
  });

  it.each<[object, string]>([
    [{ name: 'Not A Slug' }, 'name provider_name'],
    [{ template: 'myspace' }, 'template one_of'],
    [{ template: 'oidc' }, 'issuer required'],
    [{ template: 'oauth2' }, 'authorize_url required'],
    [{ authorize_url: 'javascript:alert(1)' }, 'authorize_url https_address'],
    [{ token_url: 'https://user@idp.example/' }, 'token_url https_address'],
    [{ mapping: { subject: null } }, 'mapping.subject claim_path'],
    [{ mapping: { email: 'a..b' } }, 'mapping.email claim_path'],
    [{ mapping: { admin: 'x' } }, 'mapping.admin unknown_field'],
    [{ params: { tenant: 'x' } }, 'params.tenant unknown_field'],
    [{ template: 'microsoft', params: { tenant: 5 } }, 'params.tenant type_text'],
    [{ name: 'refused', label: ' ' }, 'label visible'],
    [{ template: 'microsoft', params: { tenant: 'a/b' } }, 'params.tenant provider_parameter'],
    [{ template: 'microsoft', trust_email: true }, 'trust_email email_never_verified'],
    [{ template: 'wecom' }, 'params.agent_id required'],
    [{ template: 'apple', params: { team_id: 'TEAM123456', key_id: 'KEY1234567' } }, 'client_secret private_key'],
    [{ scopes: 'openid' }, 'scopes type_list'],
    [{ icon: '//evil.example/x.png' }, 'icon web_address'],
    [{ icon: '/icons\\x.png' }, 'icon web_address'],
    [{ icon: 'http://idp.example/x.png' }, 'icon web_address'],
    [{ client_secret_set: true }, 'client_secret_set unknown_field'],
  ])('with %j is rejected: %s', async (body, problem) => {
    const answer = await create({ name: 'refused', ...body });
    expectProblem(answer, 400, 'validation_failed');
    expect(problems(answer)).toContain(problem);
  });

  it.each(['https://169.254.169.254/', 'https://localhost/', 'https://10.0.0.1/', 'http://127.0.0.1:9/'])(
    'may not have an address at %s unless private addresses are allowed',
    async (address) => {
      const answer = await withoutPrivateProviders(() => create({ name: 'private', token_url: address }));
      expect(problems(answer)).toEqual([`token_url ${address.startsWith('https') ? 'private' : 'https'}_address`]);
    },
  );

  it.each([
    [{}, 'GitHub'],
    [{ label: 'Our GitHub' }, 'Our GitHub'],
  ])('has the label of its template by default: %j', async (body, label) => {
    const { label: _, ...unlabelled } = GITHUB;
    const answer = await admin.post<Provider>(PATH, { ...unlabelled, name: `labelled-${made++}`, ...body });
    expect([answer.status, answer.body.label]).toEqual([201, label]);
  });

  it('is not called at a private address that is no longer allowed', async () => {
    const { name } = await simulated('oauth2');
    const client = service.client();
    const callback = await consent(client, simulator, name);
    simulator.asked.length = 0;
    const answer = await withoutPrivateProviders(() => bringBack(client, callback));
    expectProblem(answer, 502, 'provider_failed');
    expect(simulator.asked).toEqual([]);
  });
});

describe('guarded fields', () => {
  it.each<[object]>([
    [{ authorize_url: 'https://evil.example/a' }],
    [{ token_url: 'https://evil.example/t' }],
    [{ userinfo_url: 'https://evil.example/u' }],
    [{ issuer: 'https://evil.example' }],
    [{ trust_email: true }],
    [{ auto_register: true }],
    [{ mapping: { subject: 'login' } }],
    [{ mapping: { email_verified: 'bio' } }],
  ])('%j require all permissions', async (body) => {
    expectProblem(await create({ name: 'guarded', ...body }, limited), 403, 'escalation_denied');
    const { id } = await fresh({}, limited);
    const answer = await change(id, { client_secret: 'given again', ...body }, limited);
    expectProblem(answer, 403, 'escalation_denied');
    expect((await change(id, { label: 'Fine', enabled: false, client_secret: 'x' }, limited)).status).toBe(200);
  });

  it.each<[string, object]>([
    ['oauth2', { client_id: 'another-client' }],
    ['oauth2', { pkce: false }],
    ['wecom', { params: { agent_id: '1' } }],
    ['alipay', { params: { alipay_public_key: 'A'.repeat(100) } }],
  ])('of %s, which links accounts: %j require all permissions', async (template, body) => {
    const { id } = await simulated(template);
    const answer = await change(id, { client_secret: '', ...body }, limited);
    expectProblem(answer, 403, 'escalation_denied');
    expect((await change(id, body)).status).toBe(200);
  });

  it('do not include client and parameters of a new provider', async () => {
    const wecom = { template: 'wecom', client_id: 'corp', params: { agent_id: '1' } };
    expect((await create({ name: `p${++made}`, ...wecom }, limited)).status).toBe(201);
    const tenant = { template: 'microsoft', params: { tenant: 'contoso.example' } };
    expectProblem(await create({ name: `p${++made}`, ...tenant }, limited), 403, 'escalation_denied');
    expectProblem(await create({ name: `p${++made}`, pkce: false }, limited), 403, 'escalation_denied');
  });

  it('need a recent login even from a caller with all permissions', async () => {
    const stale = await service.admin();
    const { body } = await stale.get<{ items: { id: string; current: boolean }[] }>('/api/auth/sessions');
    const { id } = body.items.find(({ current }) => current)!;
    const provider = await fresh();
    await service.query(`UPDATE session SET authenticated_at = now() - interval '1 hour' WHERE id = $1`, [id]);
    const other = await service.another();
    const elsewhere = new TestClient(other.app);
    for (const [cookie, value] of stale.jar) elsewhere.jar.set(cookie, value);
    const answer = await change(provider.id, { auto_register: true }, elsewhere);
    expectProblem(answer, 401, 'reauthentication_required');
    expect((await change(provider.id, { label: 'Unguarded' }, elsewhere)).status).toBe(200);
  });
});

describe('provider test', () => {
  interface Tested {
    readonly ok: boolean;
    readonly checks: { check: string; outcome: string; reason: string | null }[];
  }
  const test = async ({ id }: Provider): Promise<string[]> => {
    const { status, body } = await limited.post<Tested>(`${PATH}/${id}/test`);
    expect(status).toBe(200);
    expect(body.ok).toBe(body.checks.every(({ outcome }) => outcome === 'passed'));
    return body.checks.map(({ check, outcome, reason }) => `${check} ${outcome} ${reason ?? ''}`.trim());
  };
  const PLAIN = 'keys passed keys: none, plain OAuth 2.0 has no ID token';
  const tokenAnswers = (error: string): void => {
    simulator.override('POST /oidc/token', () => json({ error }, 400));
  };

  afterEach(() => {
    simulator.restore();
  });

  it.each([
    ['oidc', 'keys passed', 'token: status 400 (invalid_grant)'],
    ['oauth2', PLAIN, 'token: status 400 (invalid_grant)'],
    ['github', PLAIN, 'token (bad_verification_code)'],
    ['wechat', PLAIN, 'token (40029)'],
    ['dingtalk', PLAIN, 'token: status 400 (invalidParameter.authCode.notFound)'],
  ])('of %s succeeds, enabled or not, and shows the responses', async (template, keys, answer) => {
    const seen = ['addresses passed', keys, `credentials passed ${answer}`];
    expect(await test(await simulated(template, { enabled: false }))).toEqual(seen);
  });

  it('reports that the provider does not know the client', async () => {
    const provider = await simulated('oidc');
    tokenAnswers('invalid_client');
    expect((await test(provider)).at(-1)).toBe('credentials failed token: status 400 (invalid_client)');
    const wrong = await simulated('wechat', { client_secret: 'another' });
    expect((await test(wrong)).at(-1)).toBe('credentials failed token (40125)');
  });

  it('reports an unknown response as unclear', async () => {
    tokenAnswers('temporarily_odd');
    const provider = await simulated('oidc');
    expect((await test(provider)).at(-1)).toBe('credentials unclear token: status 400 (temporarily_odd)');
  });

  it('stops at the step that fails', async () => {
    const provider = await simulated('oidc');
    simulator.override('GET /oidc/keys', () => json({ keys: [] }));
    expect(await test(provider)).toEqual(['addresses passed', 'keys failed keys: none']);
    simulator.override('GET /oidc/.well-known/openid-configuration', () => json({}, 404));
    expect(await test(provider)).toEqual(['addresses failed discovery: status 404']);
  });

  it('calls no private address that is not allowed', async () => {
    const provider = await simulated('oidc');
    simulator.asked.length = 0;
    const found = await withoutPrivateProviders(() => test(provider));
    expect(found).toEqual(['addresses failed discovery: address_refused']);
    expect(simulator.asked).toEqual([]);
  });

  it('is audited and requires permission to change providers', async () => {
    const provider = await simulated('oidc');
    await test(provider);
    const found = `/api/audit?target_id=${provider.id}&action=oauth_provider.test`;
    const { body } = await admin.get<{ items: { after: Tested }[] }>(found);
    expect(body.items.map(({ after }) => after.ok)).toEqual([true]);
    const { client: reader } = await userWith(service, admin, 'reads_providers', 'oauth_provider:read');
    expect((await reader.post(`${PATH}/${provider.id}/test`)).status).toBe(403);
  });
});

describe('client secret', () => {
  const stored = async (id: string): Promise<string> => {
    const rows = await service.query<{ client_secret: string }>(
      'SELECT client_secret FROM oauth_provider WHERE id = $1',
      [id],
    );
    return rows[0]!.client_secret;
  };
  const store = (id: string, secret: string): Promise<unknown> =>
    service.query('UPDATE oauth_provider SET client_secret = $2 WHERE id = $1', [id, secret]);

  it('is kept when omitted, null or empty, and replaced otherwise', async () => {
    const { id } = await fresh();
    const before = await stored(id);
    expect(before).toMatch(/^enc:v1:test:/);
    for (const client_secret of [undefined, null, '']) {
      expect((await change(id, { label: 'Kept', client_secret })).body.client_secret_set).toBe(true);
      expect(await stored(id)).toBe(before);
    }
    await change(id, { client_secret: 'another one' });
    expect(await stored(id)).not.toBe(before);
  });

  it('is not sent to a new host by a caller who does not know it', async () => {
    const { id } = await fresh();
    const answer = await change(id, { token_url: 'https://elsewhere.example/token' });
    expect(problems(answer)).toEqual(['client_secret secret_needed_again']);
    const again = { token_url: 'https://elsewhere.example/token', client_secret: 'given again' };
    expect((await change(id, again)).status).toBe(200);
  });

  it('of another provider or with changes cannot be decrypted, and no call is made', async () => {
    const one = await simulated('oauth2');
    const other = await simulated('oauth2');
    const sealed = await stored(one.id);
    for (const spoiled of [await stored(other.id), `${sealed.slice(0, -4)}AAAA`, 'enc:v1:gone:x:y:z', 'enc:garbage']) {
      await store(one.id, spoiled);
      simulator.asked.length = 0;
      const instance = await service.another();
      const answer = await new TestClient(instance.app).get<Problem>(`/api/oauth/login/${one.name}`, {
        headers: { accept: 'application/json' },
      });
      expect(`${String(answer.headers['location'])} ${answer.text}`).toContain('provider_failed');
      expect(simulator.asked).toEqual([]);
    }
    expect(problems(await change(one.id, { label: 'Spoiled' }))).toEqual(['client_secret secret_needed_again']);
    expect((await change(one.id, { client_secret: CLIENT_SECRET })).status).toBe(200);
  });

  it('from before encryption is read, and encrypted at the next write', async () => {
    const { id, name } = await simulated('oauth2');
    await store(id, CLIENT_SECRET);
    expect((await change(id, { sort: 3 })).status).toBe(200);
    expect(await stored(id)).toMatch(/^enc:v1:test:/);
    expect((await logInThrough(service.client(), simulator, name)).body.status).toBe('bind_required');
  });

  it('is in no response, audit event or log line', async () => {
    const audit = await service.query<{ text: string }>(`SELECT audit_event::text AS text FROM audit_event`);
    const list = await admin.get(PATH);
    const shown = [list.text, ...audit.map(({ text }) => text), ...service.logLines].join('\n');
    expect(shown).toContain('oauth_provider.update');
    for (const text of ['a-secret-text', CLIENT_SECRET, 'given again', 'enc:v1:']) {
      expect(shown).not.toContain(text);
    }
  });
});
