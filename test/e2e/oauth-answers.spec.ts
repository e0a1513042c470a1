import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { authorizationCodeGrant, Configuration } from 'openid-client';
import { sha256 } from '../../src/platform/crypto';
import { ClientRepository } from '../../src/oauth/server/clients/client.repository';
import { ResourcesService } from '../../src/oauth/server/engine/resources.service';
import { dpopEnabled } from '../../src/oauth/server/core/authorization-server.settings';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import {
  authorize,
  basic,
  begin,
  CALLBACK,
  decideAt,
  ISSUER,
  logInAt,
  post,
  register,
  registerApp,
  Registered,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let app: Registered;
let serviceClient: Registered;
let config: Configuration;

withService(async (started) => {
  ({ service, admin, app, config } = await registerApp(started, {
    scopes: ['openid', 'profile', 'offline_access', 'role:read', 'role:update'],
  }));
  ann = await userWith(service, admin, 'ann', { permission_id: 'role:read', level: 1 });
  serviceClient = await register(admin, { grant_types: ['client_credentials'], scopes: ['role:read'] });
});

type Posted = Awaited<ReturnType<typeof post>>;

const TOKEN = '/api/oauth/token';
const RESOURCE = 'urn:castellan:iam';
const outcome = ({ status, body }: Posted): unknown[] => [status, body['error']];
const tokenOf = (client: Registered, form: Record<string, string>): Promise<Posted> =>
  post(service, TOKEN, { grant_type: 'client_credentials', ...form }, basic(client));
const introspect = (token: string, client: Registered, form: object = {}): Promise<Posted> =>
  post(service, '/api/oauth/introspect', { token, ...form }, client.client_secret === undefined ? {} : basic(client));

describe('introspection', () => {
  it('reports a JWT or similar text as not active (RFC 7662 §2.2)', async () => {
    const jwt = String((await tokenOf(serviceClient, { scope: 'role:read', resource: RESOURCE })).body['access_token']);
    const { id_token: idToken } = await logInAt(config, ann.client);
    for (const token of [jwt, idToken!, 'eyJhbGciOiJub25lIn0.e30.', 'x.y.z']) {
      const { status, body } = await introspect(token, serviceClient);
      expect([status, body]).toEqual([200, { active: false }]);
    }
    expect(outcome(await introspect(jwt, { ...serviceClient, client_secret: 'wrong' }))).toEqual([
      401,
      'invalid_client',
    ]);
  });

  it.each<[string, string]>([
    ['session was ended', 'UPDATE session SET revoked_at = now() WHERE user_id = $1'],
    ['user was disabled', `UPDATE user_account SET status = 'disabled' WHERE id = $1`],
  ])('reports a token as not active after its %s', async (_, ending) => {
    const eve = await userWith(service, admin, `eve_${ending.length}`);
    const tokens = await logInAt(config, eve.client, { scope: 'openid offline_access' });
    await service.query(ending, [eve.id]);
    for (const token of [tokens.access_token, tokens.refresh_token!]) {
      expect((await introspect(token, app)).body).toEqual({ active: false });
    }
  });

  it('reports nothing to an unauthenticated client (RFC 7662 §2.1)', async () => {
    const spa = await register(admin, { is_public: true });
    const { access_token: token } = await logInAt(await relyingParty(() => service, spa), ann.client);
    const { status, body } = await introspect(token, spa, { client_id: spa.client_id });
    expect([status, body]).toEqual([200, { active: false }]);
  });
});

describe('scope (RFC 6749 §3.3, §5.1)', () => {
  it.each(['', 'bogus', 'role:read', 'user:write'])(
    'is rejected at the authorization endpoint when it is only %j',
    async (scope) => {
      const { url } = await begin(config, { scope });
      url.searchParams.delete('nonce');
      if (scope === '') url.searchParams.delete('scope');
      const back = new URL(await redirectOf(ann.client, url)).searchParams;
      expect([back.get('error'), back.get('code')]).toEqual(['invalid_scope', null]);
    },
  );

  it('is rejected when a client gets none of the requested scopes, and returned when it gets fewer', async () => {
    for (const more of [{}, { resource: RESOURCE }] as Record<string, string>[]) {
      expect(outcome(await tokenOf(serviceClient, { scope: 'user:admin', ...more }))).toEqual([400, 'invalid_scope']);
    }
    const { body } = await tokenOf(serviceClient, { scope: 'role:read user:admin', resource: RESOURCE });
    expect(body['scope']).toBe('role:read');
    expect((await tokenOf(serviceClient, {})).body['scope']).toBe('role:read');
  });

  it('keeps openid for a user who holds none of the other scopes', async () => {
    const { url, checks } = await begin(config, { scope: 'openid role:update', resource: RESOURCE });
    const tokens = await authorizationCodeGrant(config, await authorize(ann.client, url), checks, {
      resource: RESOURCE,
    });
    expect([tokens.scope, tokens.claims()?.sub]).toEqual(['openid', ann.id]);
  });
});

describe('client', () => {
  it('is rejected for a grant type it may not use', async () => {
    expect(outcome(await tokenOf(app, {}))).toEqual([400, 'unauthorized_client']);
    const other = await register(admin, { grant_types: ['client_credentials'], redirect_uris: [CALLBACK] });
    const { url } = await begin(await relyingParty(() => service, other));
    const back = new URL(await redirectOf(ann.client, url)).searchParams;
    expect(back.get('error')).toBe('unauthorized_client');
  });

  it.each<[string, string | undefined]>([
    ['none', undefined],
    ['another scheme', 'Bearer x'],
    ['no Base64', 'Basic !!!'],
    ['no colon', `Basic ${btoa('client')}`],
    ['a broken escape', `Basic ${btoa('%zz:%')}`],
    ['no secret', `Basic ${btoa('client:')}`],
  ])('is not authenticated by %s', async (_, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    for (const path of [TOKEN, '/api/oauth/introspect', '/api/oauth/revoke']) {
      const answer = await post(service, path, { grant_type: 'client_credentials', token: 'x' }, headers);
      expect(outcome(answer)).toEqual([401, 'invalid_client']);
      expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/);
    }
  });

  it('can request only resources whose permissions are registered here', async () => {
    const asked = { scope: 'role:read', resource: 'urn:castellan:nobody' };
    expect(outcome(await tokenOf(serviceClient, asked))).toEqual([400, 'invalid_target']);
    const { url } = await begin(config, { resource: 'urn:castellan:nobody' });
    expect(await redirectOf(ann.client, url)).toContain('error=invalid_target');
    const entry = { scope: 'nobody', permission_id: 'thing:read', description: 'Things' };
    expect((await admin.post('/api/permission', entry)).status).toBe(201);
    expect((await tokenOf(serviceClient, { resource: 'urn:castellan:nobody' })).status).toBe(200);
  });
});

it('looks up a resource once when a request repeats it', async () => {
  const find = jest.spyOn(service.app.get(ResourcesService, { strict: false }), 'find');
  const { url } = await begin(config, { scope: 'openid role:read' });
  for (let count = 0; count < 20; count++) url.searchParams.append('resource', RESOURCE);
  const page = await ann.client.get(`${url.pathname}${url.search}`);
  expect([page.status, find.mock.calls.length]).toEqual([302, 1]);
  find.mockRestore();
});

it('keeps the code and the refresh token valid after an invalid request', async () => {
  const { url, verifier } = await begin(config, { scope: 'openid offline_access' });
  const code = (await authorize(ann.client, url)).searchParams.get('code')!;
  const exchange = (more: Record<string, string>): Promise<Posted> =>
    tokenOf(app, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      ...more,
    });
  expect(outcome(await exchange({ resource: 'urn:bogus' }))).toEqual([400, 'invalid_target']);
  const token = String((await exchange({})).body['refresh_token']);
  const refresh = (more: Record<string, string>): Promise<Posted> =>
    tokenOf(app, { grant_type: 'refresh_token', refresh_token: token, ...more });
  expect(outcome(await refresh({ resource: 'urn:bogus' }))).toEqual([400, 'invalid_target']);
  const used = await service.query(
    `SELECT 1 FROM oauth_artifact WHERE model = 'RefreshToken' AND consumed_at IS NOT NULL`,
  );
  expect(used).toEqual([]);
  expect((await refresh({})).status).toBe(200);
});

it('issues a token even when the last use cannot be recorded', async () => {
  const clients = service.app.get(ClientRepository, { strict: false });
  jest.spyOn(clients, 'touch').mockRejectedValueOnce(new Error('The row is held'));
  // The use of a client is recorded once a minute.
  const unused = await register(admin, { grant_types: ['client_credentials'], scopes: ['role:read'] });
  const { status, body } = await tokenOf(unused, { scope: 'role:read', resource: RESOURCE });
  expect([status, body['scope']]).toEqual([200, 'role:read']);
  expect(service.logLines.join('')).toContain('Recording the use of an OAuth client failed');
});

it('rejects a replayed DPoP proof (RFC 9449 §5, §7.1) and keeps the code valid without a proof', async () => {
  await service.set(dpopEnabled, true);
  const pair = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(pair.publicKey);
  const proof = (htm: string, path: string, more: object = {}): Promise<string> =>
    new SignJWT({ jti: randomUUID(), htm, htu: `${ISSUER}${path}`, ...more })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .sign(pair.privateKey);
  const jkt = sha256(JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y }));
  const { url, verifier } = await begin(config, { dpop_jkt: jkt });
  const page = await redirectOf(ann.client, url);
  const address = page.startsWith('/consent') ? (await decideAt(ann.client, page)).body.redirect : undefined;
  const code = new URL(address === undefined ? page : await redirectOf(ann.client, address)).searchParams.get('code')!;
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
  expect(outcome(await tokenOf(app, form))).toEqual([400, 'invalid_dpop_proof']);
  const opaque = await register(admin, { grant_types: ['client_credentials'], scopes: ['openid'] });
  const once = await proof('POST', TOKEN);
  const { status, body } = await post(service, TOKEN, form, { ...basic(app), dpop: once });
  expect(status).toBe(200);
  const again = await post(
    service,
    TOKEN,
    { grant_type: 'client_credentials', scope: 'openid' },
    { ...basic(opaque), dpop: once },
  );
  expect(again.status).toBe(200);
  const replay = await post(
    service,
    TOKEN,
    { grant_type: 'client_credentials', scope: 'openid' },
    { ...basic(opaque), dpop: once },
  );
  expect(outcome(replay)).toEqual([400, 'invalid_dpop_proof']);
  const token = String(body['access_token']);
  const dpop = await proof('GET', '/api/oauth/userinfo', { ath: sha256(token) });
  const ask = (): ReturnType<TestClient['get']> =>
    service.client().get('/api/oauth/userinfo', { headers: { authorization: `DPoP ${token}`, dpop } });
  expect((await ask()).status).toBe(200);
  const rejected = await ask();
  expect(rejected.status).toBe(401);
  expect(String(rejected.headers['www-authenticate'])).toContain('error="invalid_dpop_proof"');
  await service.set(dpopEnabled, false);
});
