import { NO_CLAIMS, OAuthProviderAdapter, ProviderPreset } from '../../src';
import type { Claims } from '../../src/oauth/login';
import { allowPrivateProviders } from '../../src/platform/outbound';
import { expectProblem } from '../support/service/expect-problem';
import { userWith } from '../support/accounts/holders';
import { json, ProviderSimulator } from '../support/provider-simulator';
import type { Asked } from '../support/provider-simulator';
import { bringBack, logInThrough } from '../support/oauth/simulated-login';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

/** Provider adapter of a host, with a private token format. */
class HostAdapter extends OAuthProviderAdapter {
  readonly template = 'house';
  readonly preset: ProviderPreset = {
    label: 'House',
    endpoints: { authorizeUrl: null, tokenUrl: null, userinfoUrl: null, issuer: 'https://house.example' },
    scopes: ['profile'],
    mapping: { ...NO_CLAIMS, subject: 'resident', nickname: 'name' },
    pkce: true,
    emailTrust: 'never',
    fields: [],
  };

  override async claims(...[context, token, request]: Parameters<OAuthProviderAdapter['claims']>): Promise<Claims> {
    const { sub, name } = await super.claims(context, token, request);
    return { resident: `house-${String(sub)}`, name };
  }
}

let service: TestService;
let simulator: ProviderSimulator;
let admin: TestClient;

beforeAll(async () => {
  simulator = await ProviderSimulator.start();
  service = await TestService.start({ identity: { extensions: { oauthProviderAdapters: [HostAdapter] } } });
  admin = await service.admin();
});

afterAll(async () => {
  await service.stop();
  await simulator.stop();
});

afterEach(() => {
  simulator.restore();
  simulator.asked.length = 0;
});

const PROVIDERS = '/api/oauth/provider';
const MAX_PROVIDERS = 100;
let made = 0;

/** Creates another provider of the simulator. */
async function fresh(more: object = {}, template = 'oauth2'): Promise<{ id: string; name: string }> {
  const body = { ...simulator.configuration(template), name: `own${++made}`, ...more };
  const answer = await admin.post<{ id: string; name: string }>(PROVIDERS, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}

it('logs a user in through a provider adapter of a host, links a new account and recognizes the user again', async () => {
  const name = 'our-house';
  const { template: _template, ...own } = simulator.configuration('oauth2');
  expect((await admin.post(PROVIDERS, { ...own, name, template: 'house' })).status).toBe(201);
  const { items } = (await admin.get<{ items: { template: string }[] }>('/api/oauth/template')).body;
  expect(items.map(({ template }) => template)).toContain('house');
  const newcomer = service.client();
  const { body } = await logInThrough(newcomer, simulator, name);
  const registration = { temp_token: body.temp_token, username: 'ann_of_house', password: PASSWORD };
  expect((await newcomer.post('/api/oauth/bind/register', registration)).status).toBe(201);
  expect((await logInThrough(service.client(), simulator, name)).body.status).toBe('logged_in');
  const rows = await service.query('SELECT issuer, claim FROM user_identity_subject WHERE subject = $1', [
    'house-4711',
  ]);
  expect(rows).toEqual([{ issuer: 'https://house.example', claim: 'resident' }]);
});

it('lists, disables and deletes a provider whose adapter no longer exists, and keeps the other providers', async () => {
  const [gone, other] = [await fresh({ client_id: 'orphan', scopes: null }, 'oauth2'), await fresh()];
  await service.query(`UPDATE oauth_provider SET template = 'no_longer_there' WHERE id = $1`, [gone.id]);
  const list = await admin.get<{ items: { id: string }[] }>(PROVIDERS);
  expect(list.body.items.map(({ id }) => id)).toEqual(expect.arrayContaining([gone.id, other.id]));
  const shown = { template: 'no_longer_there', client_id: 'orphan', scopes: [] };
  expect((await admin.get(`${PROVIDERS}/${gone.id}`)).body).toMatchObject(shown);
  const change = await admin.patch<Problem>(`${PROVIDERS}/${gone.id}`, { label: 'Other' });
  expect(change.body.errors).toMatchObject([{ field: 'template', code: 'one_of' }]);
  const both = await admin.patch<Problem>(`${PROVIDERS}/${gone.id}`, { enabled: false, label: 'Other' });
  expect(both.body.errors).toMatchObject([{ field: 'template', code: 'one_of' }]);
  const off = await admin.patch(`${PROVIDERS}/${gone.id}`, { enabled: false });
  expect([off.status, off.body]).toMatchObject([200, { ...shown, enabled: false }]);
  const on = await admin.patch<Problem>(`${PROVIDERS}/${gone.id}`, { enabled: true });
  expect(on.body.errors).toMatchObject([{ field: 'template', code: 'one_of' }]);
  expect((await admin.delete(`${PROVIDERS}/${gone.id}`)).status).toBe(204);
  expect((await admin.get(`${PROVIDERS}/${gone.id}`)).status).toBe(404);
});

describe('a provider with an invalid stored configuration', () => {
  const outdated: readonly [string, string, (id: string) => Promise<unknown>][] = [
    ['its address is no longer allowed', 'authorize_url', () => service.set(allowPrivateProviders, false)],
    [
      'its secret cannot be decrypted',
      'client_secret',
      (id) => service.query(`UPDATE oauth_provider SET client_secret = 'enc:v1:gone:x:y:z' WHERE id = $1`, [id]),
    ],
    [
      'its template has another field',
      'params.former',
      (id) => service.query(`UPDATE oauth_provider SET params = '{"former": "kept"}' WHERE id = $1`, [id]),
    ],
  ];

  const change = (id: string, body: object): Promise<Answer<Problem & { enabled?: boolean }>> =>
    admin.patch(`${PROVIDERS}/${id}`, body);
  const problems = ({ body }: Answer<Problem>): string[] =>
    (body.errors ?? []).map(({ field, code }) => `${field} ${code}`);

  it.each(outdated)('can be disabled but not enabled: %s', async (_, field, happen) => {
    const { id } = await fresh();
    const storedOf = (): Promise<unknown> =>
      service.query('SELECT client_secret, params FROM oauth_provider WHERE id = $1', [id]);
    try {
      await happen(id);
      const before = await storedOf();
      const off = await change(id, { enabled: false });
      expect([off.status, off.body]).toMatchObject([200, { enabled: false }]);
      expect((await change(id, { label: 'Still off' })).status).toBe(200);
      expect(await storedOf()).toEqual(before);
      const on = await change(id, { enabled: true });
      expect(problems(on).map((problem) => problem.split(' ')[0])).toContain(field);
    } finally {
      await service.set(allowPrivateProviders, true);
    }
  });

  it('is validated in its changed fields and at creation, even while it is disabled', async () => {
    const { id } = await fresh({ enabled: false });
    await service.query(`UPDATE oauth_provider SET client_secret = 'enc:v1:gone:x:y:z' WHERE id = $1`, [id]);
    const wrong: readonly [object, string][] = [
      [{ token_url: 'ftp://idp.example' }, 'token_url https_address'],
      [{ token_url: 'https://elsewhere.example/token' }, 'client_secret secret_needed_again'],
      [{ params: { former: 'x' } }, 'params.former unknown_field'],
    ];
    for (const [body, problem] of wrong) expect(problems(await change(id, body))).toContain(problem);
    const unfinished = await admin.post<Problem>(PROVIDERS, {
      name: 'unfinished',
      label: 'U',
      template: 'oidc',
      client_id: 'id',
      enabled: false,
    });
    expect(problems(unfinished)).toEqual(['issuer required']);
  });
});

describe('a confidential client', () => {
  const tokenRequest = (): Asked => simulator.asked.find(({ path }) => path.endsWith('/token'))!;
  const encoded = 'Basic ' + Buffer.from('a%3Ab+%C3%BC:s%25+%2B%E5%AF%86').toString('base64');
  const credentials = { client_id: 'a:b ü', client_secret: 's% +密' };

  it.each<['oauth2' | 'oidc', object, 'basic' | 'post']>([
    ['oauth2', {}, 'post'],
    ['oauth2', { params: { client_auth: 'client_secret_post' } }, 'post'],
    ['oauth2', { params: { client_auth: 'client_secret_basic' } }, 'basic'],
    ['oidc', {}, 'post'],
    ['oidc', { params: { client_auth: 'client_secret_post' } }, 'post'],
    ['oidc', { params: { client_auth: 'client_secret_basic' } }, 'basic'],
  ])('of %s with %j sends its secret by %s', async (template, more, way) => {
    const { name } = await fresh({ ...credentials, ...more }, template);
    await logInThrough(service.client(), simulator, name);
    const { form, headers } = tokenRequest();
    const shown = [headers.authorization, form['client_id'], form['client_secret']];
    expect(shown).toEqual(way === 'basic' ? [encoded, undefined, undefined] : [undefined, 'a:b ü', 's% +密']);
  });

  it('logs users in with the Authorization header too', async () => {
    const { name } = await fresh({ params: { client_auth: 'client_secret_basic' } }, 'oidc');
    expect((await logInThrough(service.client(), simulator, name)).body.status).toBe('bind_required');
    expect(tokenRequest().form).not.toHaveProperty('client_secret');
  });
});

describe('WeCom', () => {
  const wecom = (more: object = {}): Promise<{ id: string; name: string }> =>
    fresh({ params: { agent_id: '1000002', ...more } }, 'wecom');
  const says = (value: object): void => {
    simulator.override('GET /wecom/cgi-bin/auth/getuserinfo', () => json({ errcode: 0, ...value }));
  };

  it.each([40014, 42001])('gets a new token once when the old one is invalid (%d)', async (errcode) => {
    const { name } = await wecom();
    const client = service.client();
    expect((await logInThrough(client, simulator, name)).body.status).not.toBe('provider_failed');
    const tokens = (): number => simulator.asked.filter(({ path }) => path.endsWith('/gettoken')).length;
    expect(tokens()).toBe(1);
    let answers = 0;
    simulator.override('GET /wecom/cgi-bin/auth/getuserinfo', () =>
      json(++answers === 1 ? { errcode } : { errcode: 0, userid: 'somebody' }),
    );
    expect((await logInThrough(service.client(), simulator, name)).body.status).toBe('bind_required');
    expect([tokens(), answers]).toEqual([2, 2]);
    simulator.override('GET /wecom/cgi-bin/auth/getuserinfo', () => json({ errcode: answers++ && errcode }));
    expectProblem(await logInThrough(service.client(), simulator, name), 502, 'provider_failed');
    expect(answers).toBe(4);
  });

  it('accepts guests only when the operator allows them, and never as the member with the same id', async () => {
    const withoutGuests = await wecom();
    says({ openid: 'zhangsan', external_userid: 'wm1' });
    expectProblem(await logInThrough(service.client(), simulator, withoutGuests.name), 400, 'provider_denied');
    const { name } = await wecom({ guests: 'allow' });
    says({ userid: 'zhangsan' });
    const member = service.client();
    const { body } = await logInThrough(member, simulator, name);
    const registration = { temp_token: body.temp_token, username: 'zhang_san', password: PASSWORD };
    expect((await member.post('/api/oauth/bind/register', registration)).status).toBe(201);
    says({ openid: 'zhangsan' });
    expect((await logInThrough(service.client(), simulator, name)).body.status).toBe('bind_required');
  });
});

describe('users of a provider', () => {
  it('are identified by one claim, whatever another claim contains', async () => {
    const { id, name } = await fresh({ mapping: { subject: 'id|login' } });
    const log = async (
      client: TestClient,
      person: object,
    ): Promise<Answer<{ status?: string; temp_token?: string }>> => {
      simulator.override('GET /oauth2/me', () => ({ type: 'application/json', body: JSON.stringify(person) }));
      return logInThrough(client, simulator, name);
    };
    try {
      const client = service.client();
      const { body } = await log(client, { id: 4711, login: 'vic' });
      const registration = { temp_token: body.temp_token, username: 'vic_tim', password: PASSWORD };
      expect((await client.post('/api/oauth/bind/register', registration)).status).toBe(201);
      expect((await log(service.client(), { id: 666, login: '4711' })).body.status).toBe('bind_required');
      expect((await log(service.client(), { login: '4711' })).body.status).toBe('bind_required');
      expect((await log(service.client(), { id: 4711, login: 'renamed' })).body.status).toBe('logged_in');
      await admin.patch(`${PROVIDERS}/${id}`, { mapping: { subject: 'login' } });
      expect((await log(service.client(), { login: '4711' })).body.status).toBe('bind_required');
    } finally {
      simulator.restore();
    }
  });

  it('prevent its deletion, lose their links by a forced one, and are not linked to a new provider of that name', async () => {
    const { id, name } = await fresh();
    const { client: limited } = await userWith(service, admin, 'limited', 'oauth_provider:delete');
    const client = service.client();
    const { body } = await logInThrough(client, simulator, name);
    const registration = { temp_token: body.temp_token, username: 'left_over', password: PASSWORD };
    expect((await client.post('/api/oauth/bind/register', registration)).status).toBe(201);
    expectProblem(await limited.delete<Problem>(`${PROVIDERS}/${id}`), 409, 'in_use');
    expectProblem(await limited.delete<Problem>(`${PROVIDERS}/${id}?force=true`), 403, 'escalation_denied');
    expectProblem(await admin.delete<Problem>(`${PROVIDERS}/${id}`), 409, 'in_use');
    expect((await admin.delete(`${PROVIDERS}/${id}?force=true`)).status).toBe(204);
    const [event] = await service.query<{ after: unknown }>(
      `SELECT after FROM audit_event WHERE action = 'oauth_provider.delete' AND target_id = $1`,
      [id],
    );
    expect(event?.after).toEqual({ identities_deleted: 1 });
    expect((await client.get<{ items: unknown[] }>('/api/auth/identities')).body.items).toEqual([]);
    await fresh({ name });
    expect((await logInThrough(service.client(), simulator, name)).body.status).toBe('bind_required');
  });

  it('prevent disabling and deleting it when they include all administrators', async () => {
    const { id, name } = await fresh();
    const { client: limited } = await userWith(service, admin, 'switches', 'oauth_provider:update');
    const start = await admin.post<{ redirect: string }>('/api/oauth/bind/start', { name });
    expect((await bringBack(admin, await simulator.visit(start.body.redirect))).body.status).toBe('bound');
    const [keeper] = await service.query<{ id: string; hash: string }>(
      `SELECT account.id, password_hash AS hash FROM user_account AS account JOIN user_identity ON user_id = account.id
       WHERE provider_id = $1`,
      [id],
    );
    const setHash = (hash: string | null): Promise<unknown> =>
      service.query('UPDATE user_account SET password_hash = $2 WHERE id = $1', [keeper!.id, hash]);
    await setHash(null);
    try {
      const answer = await limited.patch<Problem>(`${PROVIDERS}/${id}`, { enabled: false });
      expectProblem(answer, 409, 'last_admin');
      expect((await admin.get(`${PROVIDERS}/${id}`)).body).toMatchObject({ enabled: true });
      expect((await limited.patch(`${PROVIDERS}/${id}`, { label: 'Still on' })).status).toBe(200);
      const everything = { scope: '*', permission_id: '*:*', level: 7 };
      const { client: mighty } = await userWith(service, admin, 'deletes', everything);
      expectProblem(await mighty.delete<Problem>(`${PROVIDERS}/${id}?force=true`), 409, 'last_admin');
    } finally {
      await setHash(keeper!.hash);
    }
    expect((await limited.patch(`${PROVIDERS}/${id}`, { enabled: false })).status).toBe(200);
  });

  it('prevent deleting it when they include only the caller', async () => {
    const { id, name } = await fresh();
    const holder = await userWith(service, admin, 'only_here', { scope: '*', permission_id: '*:*', level: 7 });
    const start = await holder.client.post<{ redirect: string }>('/api/oauth/bind/start', { name });
    expect((await bringBack(holder.client, await simulator.visit(start.body.redirect))).body.status).toBe('bound');
    await service.query(
      `UPDATE user_account SET password_hash = NULL, email_verified = false WHERE username = 'only_here'`,
    );
    expectProblem(await holder.client.delete<Problem>(`${PROVIDERS}/${id}?force=true`), 409, 'last_credential');
    expect((await admin.delete(`${PROVIDERS}/${id}?force=true`)).status).toBe(204);
  });
});

it('allows at most one hundred providers', async () => {
  const { id } = await fresh();
  await service.query(
    `INSERT INTO oauth_provider
     SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'name', 'copy' || number))).*
     FROM oauth_provider AS one, generate_series((SELECT count(*) FROM oauth_provider) + 1, $2) AS number
     WHERE one.id = $1`,
    [id, MAX_PROVIDERS - 1],
  );
  await fresh();
  const answer = await admin.post<Problem>(PROVIDERS, { ...simulator.configuration('oauth2'), name: 'one-more' });
  expectProblem(answer, 400, 'validation_failed');
  expect(answer.body.errors).toMatchObject([{ field: 'name', code: 'most_providers' }]);
  await service.query(`DELETE FROM oauth_provider WHERE name LIKE 'copy%'`);
});
