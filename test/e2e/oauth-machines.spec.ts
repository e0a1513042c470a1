import { decodeJwt, importJWK, SignJWT } from 'jose';
import { OAuthKeysService } from '../../src/oauth/server';
import { SigningKeysService } from '../../src/session';
import { searchPerMinutePerUser } from '../../src/auth';
import { DatabaseClock } from '../../src/platform/database';
import { accessTable } from '../support/documents/access-table';
import { expectProblem } from '../support/service/expect-problem';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import { basic, ISSUER, logInAt, post, register, Registered, relyingParty } from '../support/oauth/oauth';
import { staleFor } from '../support/service/staleness';
import { Answer, Method, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';

const AUDIENCE = 'urn:castellan:iam';
const CHECK = '/api/permission/check';
const SEARCH = '/api/auth/users';
const INVALID = 'Bearer error="invalid_token"';
const READ = { permission_id: 'permission:read', level: 1 };
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';
/** Routes with a public policy, which return these statuses with and without a token. */
const PUBLIC = [200, 202, 302, 303];

interface ServiceClient extends Registered {
  readonly token: string;
}

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let serviceClient: ServiceClient;
let other: TestService;
let setters = 0;

const bearer = (token: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${token}` },
});

async function tokenOf(client: Registered, scope: string, resource?: string): Promise<string> {
  const form = { grant_type: 'client_credentials', scope, ...(resource !== undefined && { resource }) };
  const { status, body } = await post(service, '/api/oauth/token', form, basic(client));
  if (status !== 200) throw new Error(`No token: ${JSON.stringify(body)}`);
  return body['access_token'] as string;
}

async function serviceClientOf(owner: TestClient, ...scopes: string[]): Promise<ServiceClient> {
  const more = { name: 'Machine', redirect_uris: [], grant_types: ['client_credentials'], scopes };
  const client = await register(owner, more);
  return { ...client, token: await tokenOf(client, scopes.join(' '), AUDIENCE) };
}

const check = (token: string, more: object = { user_id: ann.id }): Promise<Answer<{ allowed: boolean }>> =>
  service
    .client()
    .post<{ allowed: boolean }>(CHECK, { checks: [{ permission_id: 'role:read' }], ...more }, bearer(token));

const search = (token: string): Promise<Answer<{ id: string }[]>> =>
  service.client().post<{ id: string }[]>(SEARCH, { ids: [ann.id] }, bearer(token));

async function expectClosed(token: string): Promise<void> {
  for (const answer of [await check(token), await search(token)]) {
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.headers['www-authenticate']).toBe(INVALID);
  }
}

beforeAll(async () => {
  service = await TestService.start();
  other = await service.another();
  admin = await service.admin();
  ann = await userWith(service, admin, 'ann', { permission_id: 'role:read', level: 1 });
  serviceClient = await serviceClientOf(admin, 'permission:read');
});

afterAll(() => service.stop());
const TAKES_BODY: readonly Method[] = ['POST', 'PUT', 'PATCH'];

describe('OAuth client as caller', () => {
  it('checks permissions of users and searches users', async () => {
    expect(await check(serviceClient.token)).toMatchObject({ status: 200, body: { allowed: true } });
    expect(await search(serviceClient.token)).toMatchObject({ status: 200, body: [{ id: ann.id }] });
  });

  it('must name the user whose permissions it checks', async () => {
    const { status, body } = await check(serviceClient.token, {});
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'user_id', code: 'required' }] }]);
  });

  it('can call no other route', async () => {
    const opened: string[] = [];
    for (const [route, [nobody]] of Object.entries(accessTable)) {
      const [method, path] = route.split(' ') as [Method, string];
      if (PUBLIC.includes(nobody)) continue;
      const url = path.replace('{file}', 'seed.svg').replace(/\{\w+\}/g, UNKNOWN_ID);
      const options = { ...bearer(serviceClient.token), ...(TAKES_BODY.includes(method) && { body: {} }) };
      const { status } = await service.client().send(method, url, options);
      if (status !== nobody) opened.push(`${route} ${status}`);
    }
    // An empty body is invalid, so 400 shows that the guard accepted the client; for 403 it lacks the permission.
    expect(opened).toEqual([
      'GET /api/event 403',
      'GET /api/event/stream 403',
      `POST ${SEARCH} 400`,
      `POST ${CHECK} 400`,
      'POST /access/v1/evaluation 400',
      'POST /access/v1/evaluations 400',
      'POST /api/guard/check 403',
      'PUT /api/guard/catalogue 403',
      'GET /api/guard/stream 403',
    ]);
  });

  it('needs the scope that a route names, or any scope when the route names none', async () => {
    const other = await serviceClientOf(admin, 'role:read');
    const rejected = await check(other.token);
    expect(rejected).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', params: { permission: 'permission:read', scope: 'iam' } },
    });
    expect(rejected.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="permission:read"');
    expect((await search(other.token)).status).toBe(200);
    const both = await serviceClientOf(admin, 'permission:read', 'role:read');
    expect((await check(await tokenOf(both, 'role:read', AUDIENCE))).status).toBe(403);
  });

  it('has a separate limit for searches', async () => {
    await service.set(searchPerMinutePerUser, 2);
    const one = await serviceClientOf(admin, 'permission:read');
    const other = await serviceClientOf(admin, 'permission:read');
    expect([(await search(one.token)).status, (await search(one.token)).status]).toEqual([200, 200]);
    expect([(await search(one.token)).status, (await search(other.token)).status]).toEqual([429, 200]);
    await service.set(searchPerMinutePerUser, 60);
  });

  it('updates its last use and appears in the log', async () => {
    const used = await serviceClientOf(admin, 'permission:read');
    await service.query(`UPDATE oauth_client SET last_used_at = now() - interval '1 hour' WHERE id = $1`, [used.id]);
    await check(used.token);
    const rows = await service.query<{ recent: boolean }>(
      `SELECT last_used_at > now() - interval '1 minute' AS recent FROM oauth_client WHERE id = $1`,
      [used.id],
    );
    expect(rows).toEqual([{ recent: true }]);
    expect(service.logLines.some((line) => line.includes(`"client_id":"${used.client_id}"`))).toBe(true);
  });

  it('counts as a user when a session cookie accompanies its token', async () => {
    const asAnn = await ann.client.post<{ code?: string }>(
      CHECK,
      { checks: [{ permission_id: 'role:read' }] },
      bearer(serviceClient.token),
    );
    expect(asAnn.status).toBe(200);
    const ofAdmin = await admin.get<{ id: string }>('/api/auth/me');
    const body = { user_id: ofAdmin.body.id, checks: [{ permission_id: 'role:read' }] };
    expect((await ann.client.post(CHECK, body, bearer(serviceClient.token))).status).toBe(403);
    const refreshOnly = [...ann.client.jar].filter(([name]) => name.endsWith('_refresh'));
    const cookie = refreshOnly.map((pair) => pair.join('=')).join('; ');
    expect((await service.client().post(CHECK, body, { ...bearer(serviceClient.token), cookie })).status).toBe(401);
  });
});

describe('client permissions', () => {
  it('end when the client is disabled, loses its grant type or is deleted', async () => {
    const ends: ((id: string) => Promise<Answer<unknown>>)[] = [
      (id) => admin.patch(`/api/oauth/client/${id}`, { enabled: false }),
      (id) =>
        admin.patch(`/api/oauth/client/${id}`, {
          grant_types: ['authorization_code'],
          redirect_uris: ['https://app.example.com/callback'],
        }),
      (id) => admin.delete(`/api/oauth/client/${id}`),
    ];
    for (const end of ends) {
      const ending = await serviceClientOf(admin, 'permission:read');
      expect((await check(ending.token)).status).toBe(200);
      expect((await end(ending.id)).status).toBeLessThan(300);
      await expectClosed(ending.token);
    }
  });

  it('do not return for earlier tokens when the client is enabled again', async () => {
    const paused = await serviceClientOf(admin, 'permission:read');
    await admin.patch(`/api/oauth/client/${paused.id}`, { enabled: false });
    await admin.patch(`/api/oauth/client/${paused.id}`, { enabled: true });
    await expectClosed(paused.token);
    expect((await check(await tokenOf(paused, 'permission:read', AUDIENCE))).status).toBe(200);
    await expectClosed(paused.token);
  });

  it('end when the client loses a scope', async () => {
    const shrinking = await serviceClientOf(admin, 'permission:read', 'role:read');
    await admin.patch(`/api/oauth/client/${shrinking.id}`, { scopes: ['role:read'] });
    await expectClosed(shrinking.token);
  });

  it('shrink with the permissions of their grantor', async () => {
    const owner = await userWith(service, admin, 'owner', 'oauth_client:create', READ, 'role:read');
    const owned = await serviceClientOf(owner.client, 'permission:read', 'role:read');
    expect((await check(owned.token)).status).toBe(200);
    await admin.patch(`/api/user/${owner.id}/permissions`, { remove: ['permission:read'] });
    expect((await check(owned.token)).status).toBe(403);
    expect((await search(owned.token)).status).toBe(200);
    await admin.patch(`/api/user/${owner.id}/permissions`, { remove: ['role:read'] });
    await expectClosed(owned.token);
  });

  it('return when another holder of the permissions saves the same scopes', async () => {
    const owner = await userWith(service, admin, 'former', 'oauth_client:create', READ);
    const owned = await serviceClientOf(owner.client, 'permission:read');
    const again = (client: TestClient): Promise<Answer<unknown>> =>
      client.patch(`/api/oauth/client/${owned.id}`, { scopes: ['permission:read'] });
    await admin.patch(`/api/user/${owner.id}/permissions`, { remove: ['permission:read'] });
    expectProblem(await again(owner.client), 403, 'escalation_denied');
    await expectClosed(owned.token);
    expect((await again(admin)).status).toBe(200);
    expect((await check(owned.token)).status).toBe(200);
    const setters = await service.query<{ before: object; after: object }>(
      `SELECT before ->> 'scopes_set_by' AS before, after ->> 'scopes_set_by' AS after
       FROM audit_event WHERE action = 'oauth_client.update' AND target_id = $1`,
      [owned.id],
    );
    const { id } = (await admin.get<{ id: string }>('/api/auth/me')).body;
    expect(setters).toEqual([{ before: owner.id, after: id }]);
  });
});

describe('another instance knows within a second', () => {
  it.each<[string, (serviceClient: ServiceClient, owner: UserWithGrants) => Promise<Answer<unknown>>, number]>([
    ['that the client is disabled', ({ id }) => admin.patch(`/api/oauth/client/${id}`, { enabled: false }), 401],
    ['that it lost a scope', ({ id }) => admin.patch(`/api/oauth/client/${id}`, { scopes: ['role:read'] }), 401],
    [
      'that its grantor lost a permission',
      (_, { id }) => admin.patch(`/api/user/${id}/permissions`, { remove: ['permission:read'] }),
      403,
    ],
    ['that its grantor was disabled', (_, { id }) => admin.patch(`/api/user/${id}`, { status: 'disabled' }), 401],
  ])('%s', async (_, change, status) => {
    const setter = await userWith(service, admin, `setter_${setters++}`, 'oauth_client:create', READ, 'role:read');
    const owned = await serviceClientOf(setter.client, 'permission:read', 'role:read');
    const body = { user_id: ann.id, checks: [{ permission_id: 'role:read' }] };
    const ask = async (): Promise<number> => (await other.client().post(CHECK, body, bearer(owned.token))).status;
    expect(await ask()).toBe(200);
    expect((await change(owned, setter)).status).toBe(200);
    expect(await staleFor(async () => (await ask()) === status)).toBeLessThanOrEqual(1_000);
  });
});

describe('an invalid client token', () => {
  it('has another audience or none', async () => {
    const scopes = ['permission:read'];
    await admin.post('/api/permission', { scope: 'shop', permission_id: 'order:read', description: 'Orders' });
    const client = await serviceClientOf(admin, ...scopes, 'shop:order:read');
    await expectClosed(await tokenOf(client, 'shop:order:read', 'urn:castellan:shop'));
    const opaque = await register(admin, { redirect_uris: [], grant_types: ['client_credentials'] });
    await expectClosed(await tokenOf(opaque, 'openid'));
  });

  it("is a user's access token of an application, opaque or JWT", async () => {
    const app = await register(admin, {
      scopes: ['openid', 'role:read'],
      grant_types: ['authorization_code', 'client_credentials'],
    });
    const party = await relyingParty(() => service, app);
    const opaque = await logInAt(party, ann.client, { scope: 'openid' });
    const jwt = await logInAt(party, ann.client, { scope: 'openid role:read', resource: AUDIENCE });
    expect(decodeJwt(jwt.access_token)).toMatchObject({ aud: AUDIENCE, sub: ann.id, scope: 'role:read' });
    for (const token of [opaque.access_token, jwt.access_token, jwt.id_token!]) {
      await expectClosed(token);
      expect((await service.client().get('/api/auth/me', bearer(token))).status).toBe(401);
    }
  });

  it('has expired', async () => {
    const clock = service.app.get(DatabaseClock, { strict: false });
    const later = clock.now() + 901_000;
    const spy = jest.spyOn(clock, 'now').mockReturnValue(later);
    await expectClosed(serviceClient.token);
    spy.mockRestore();
    expect((await check(serviceClient.token)).status).toBe(200);
  });

  describe('is forged', () => {
    type Sign = (header?: object, claims?: object, algorithm?: 'ES256' | 'RS256') => Promise<string>;

    /** Signs a token like the service, except for the given changes. */
    const sign: Sign = async (header = {}, claims = {}, algorithm = 'ES256') => {
      const keys = service.app.get(SigningKeysService, { strict: false });
      const kids = await keys.signingOrder('oauth');
      const jwks = await Promise.all(kids.map((kid) => keys.privateJwk(kid)));
      const jwk = jwks.find(({ alg }) => alg === algorithm)!;
      return new SignJWT({ ...decodeJwt(serviceClient.token), ...claims })
        .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid: jwk.kid, ...header })
        .sign(await importJWK(jwk, algorithm));
    };

    it('unlike an exact copy', async () => {
      expect((await check(await sign())).status).toBe(200);
      expect(decodeJwt(serviceClient.token)).toMatchObject({ iss: ISSUER, sub: serviceClient.client_id });
    });

    it.each<[string, () => Promise<string>]>([
      ['another type', () => sign({ typ: 'JWT' })],
      ['another algorithm', () => sign({}, {}, 'RS256')],
      ['an unknown key', () => sign({ kid: UNKNOWN_ID })],
      ['another issuer', () => sign({}, { iss: 'https://elsewhere.example.com' })],
      ['additional audiences', () => sign({}, { aud: [AUDIENCE, 'urn:castellan:shop'] })],
      ['no expiry', () => sign({}, { exp: undefined })],
      ['another subject', () => sign({}, { sub: ann.id })],
      ['a key binding', () => sign({}, { cnf: { jkt: 'thumbprint' } })],
      ['an unknown client', () => sign({}, { client_id: 'nobody', sub: 'nobody' })],
      ['a forged signature', async () => `${serviceClient.token.slice(0, -8)}AAAAAAAA`],
      ['no signature', async () => serviceClient.token.replace(/^[\w-]+/, 'eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0')],
    ])('with %s', async (_, make) => {
      await expectClosed(await make());
    });
  });
});

it('keeps a superseded key until its tokens have expired by the database clock', async () => {
  const kids = async (): Promise<string[]> =>
    (await service.client().get<{ keys: { kid: string }[] }>('/api/oauth/jwks')).body.keys.map(({ kid }) => kid);
  const previous = await kids();
  expect((await admin.post('/api/signing-key')).status).toBe(201);
  await service.query(`UPDATE signing_key SET signs_from = now() - interval '1 second' WHERE signs_from > now()`);
  const maintain = (hours: number): Promise<void> => service.app.get(OAuthKeysService).maintain(hours * 3_600_000);
  await maintain(23);
  expect(await kids()).toEqual(expect.arrayContaining(previous));
  expect((await check(serviceClient.token)).status).toBe(200);
  service.app.get(DatabaseClock, { strict: false }).observe(new Date(Date.now() + 25 * 3_600_000));
  await maintain(0);
  expect(await kids()).toEqual(expect.arrayContaining(previous));
  await maintain(25);
  expect((await kids()).map((kid) => previous.includes(kid))).toEqual([false, false]);
  await expectClosed(serviceClient.token);
});
