import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
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
import { enrolTotp, firstStep, freshCode, secondStep } from '../support/accounts/second-factors';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { dpopEnabled, parEnabled } from '../../src/oauth/server/core/authorization-server.settings';
import { expectProblem } from '../support/service/expect-problem';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let app: Registered;
let config: oidc.Configuration;

withService(async (started) => {
  ({ service, admin, app, config } = await registerApp(started));
  ann = await userWith(service, admin, 'ann', { permission_id: 'role:read', level: 1 });
});

const kidOf = (token: string): string => String(decodeProtectedHeader(token).kid);

const keys = async (): Promise<{ keys: { kid: string; alg: string; d?: string }[] }> =>
  (await service.client().get<{ keys: { kid: string; alg: string }[] }>('/.well-known/jwks.json')).body;

describe('discovery', () => {
  it('lists the issuer, the supported features and one address for all keys', async () => {
    const { body } = await service.client().get('/.well-known/openid-configuration');
    expect(body).toMatchObject({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/api/oauth/authorize`,
      token_endpoint: `${ISSUER}/api/oauth/token`,
      userinfo_endpoint: `${ISSUER}/api/oauth/userinfo`,
      revocation_endpoint: `${ISSUER}/api/oauth/revoke`,
      introspection_endpoint: `${ISSUER}/api/oauth/introspect`,
      end_session_endpoint: `${ISSUER}/api/oauth/logout`,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(body).not.toHaveProperty('pushed_authorization_request_endpoint');
    const found = (await keys()).keys;
    expect(found.map(({ alg }) => alg).sort()).toEqual(['ES256', 'ES256', 'RS256']);
    expect(found.some((key) => 'd' in key || 'p' in key)).toBe(false);
    const own = await service.client().get<{ keys: { kid: string }[] }>('/api/oauth/jwks');
    expect(own.body.keys).toHaveLength(2);
  });
});

describe.each<[string, (secret: string) => oidc.ClientAuth]>([
  ['client_secret_basic', (secret) => oidc.ClientSecretBasic(secret)],
  ['client_secret_post', (secret) => oidc.ClientSecretPost(secret)],
])('a server application with %s', (_, authentication) => {
  it('logs a user in, reads userinfo, refreshes, introspects and revokes', async () => {
    const party = await relyingParty(() => service, app, authentication(app.client_secret!));
    const tokens = await logInAt(party, ann.client, { scope: 'openid profile email offline_access' });
    const claims = tokens.claims()!;
    expect(claims).toMatchObject({ iss: ISSUER, aud: app.client_id, sub: ann.id });
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: 900,
      scope: 'openid profile email offline_access',
    });
    const info = await oidc.fetchUserInfo(party, tokens.access_token, ann.id);
    expect(info).toMatchObject({ sub: ann.id, name: 'ann', preferred_username: 'ann' });

    const fresh = await oidc.refreshTokenGrant(party, tokens.refresh_token!);
    expect(fresh.refresh_token).not.toBe(tokens.refresh_token);
    expect(fresh.claims()!.sub).toBe(ann.id);

    const about = await oidc.tokenIntrospection(party, fresh.access_token);
    expect(about).toMatchObject({ active: true, client_id: app.client_id, sub: ann.id });
    await oidc.tokenRevocation(party, fresh.refresh_token!);
    expect(await oidc.tokenIntrospection(party, fresh.access_token)).toEqual({ active: false });
    await expect(oidc.refreshTokenGrant(party, fresh.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

it('logs a user in without a secret at a public client, whose page may read the responses', async () => {
  const spa = await register(admin, { is_public: true, redirect_uris: [CALLBACK, 'http://127.0.0.1:5173/cb'] });
  const party = await relyingParty(() => service, spa);
  const tokens = await logInAt(party, ann.client);
  expect(tokens.claims()!.sub).toBe(ann.id);
  expect(tokens.refresh_token).toBeUndefined();

  for (const path of [
    '/api/oauth/token',
    '/api/oauth/userinfo',
    '/.well-known/jwks.json',
    '/.well-known/openid-configuration',
  ]) {
    const preflight = { 'access-control-request-method': 'GET' };
    const ask = async (origin: string, method: 'OPTIONS' | 'GET'): Promise<Record<string, unknown>> =>
      (await service.app.inject({ method, url: path, headers: { origin, ...(method === 'OPTIONS' && preflight) } }))
        .headers;
    for (const method of ['OPTIONS', 'GET'] as const) {
      const known = await ask('https://app.example.com', method);
      expect([path, method, known['access-control-allow-origin']]).toEqual([path, method, 'https://app.example.com']);
      expect(known).not.toHaveProperty('access-control-allow-credentials');
      expect(String(known['vary'])).toContain('Origin');
      expect(await ask('https://evil.example', method)).not.toHaveProperty('access-control-allow-origin');
    }
  }
});

describe('permissions', () => {
  const scope = 'role:read';
  const resource = 'urn:castellan:iam';

  it('are in the JWT for a resource, limited by client and user', async () => {
    const client = await register(admin, { scopes: ['openid', 'role:read', 'role:delete'] });
    const party = await relyingParty(() => service, client);
    const tokens = await logInAt(party, ann.client, { scope: 'openid role:read role:delete', resource });
    const { payload } = await jwtVerify(tokens.access_token, createLocalJWKSet(await keys()), {
      issuer: ISSUER,
      audience: resource,
      typ: 'at+jwt',
    });
    expect(payload).toMatchObject({ sub: ann.id, client_id: client.client_id, scope });
    expect(
      (await service.client().get('/api/auth/me', { headers: { authorization: `Bearer ${tokens.access_token}` } }))
        .status,
    ).toBe(401);
  });

  it('of a client for itself end with the permissions of their grantor', async () => {
    const maker = await userWith(service, admin, 'maker', 'oauth_client:create', { permission_id: scope, level: 1 });
    const client = await register(maker.client, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scopes: [scope],
    });
    const party = await relyingParty(() => service, client);
    const granted = async (): Promise<string | undefined> =>
      (await oidc.clientCredentialsGrant(party, { scope, resource })).scope;
    expect(await granted()).toBe(scope);
    await admin.patch(`/api/user/${maker.id}/permissions`, { remove: [scope] });
    await expect(granted()).rejects.toMatchObject({ error: 'invalid_scope' });
    await expect(
      oidc.clientCredentialsGrant(party, { scope, resource: 'https://elsewhere.example' }),
    ).rejects.toMatchObject({
      error: 'invalid_target',
    });
  });
});

it('accepts pushed authorization requests and DPoP once the settings allow them', async () => {
  expect((await post(service, '/api/oauth/par', {}, basic(app))).status).toBe(404);
  await service.set(parEnabled, true);
  await service.set(dpopEnabled, true);
  try {
    const party = await relyingParty(() => service, app);
    const verifier = oidc.randomPKCECodeVerifier();
    const url = await oidc.buildAuthorizationUrlWithPAR(party, {
      redirect_uri: CALLBACK,
      scope: 'openid offline_access',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const DPoP = oidc.getDPoPHandle(party, await oidc.randomDPoPKeyPair());
    const callback = await authorize(ann.client, url);
    const tokens = await oidc.authorizationCodeGrant(party, callback, { pkceCodeVerifier: verifier }, undefined, {
      DPoP,
    });
    expect(tokens.token_type).toBe('dpop');
    expect(tokens.refresh_token).toBeDefined();
    await oidc.fetchUserInfo(party, tokens.access_token, ann.id, { DPoP });
    const asBearer = await service.client().get('/api/oauth/userinfo', {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(asBearer.status).toBe(401);
    const again = await service.client().get(`${url.pathname}${url.search}`);
    expect(again.status).toBe(400);
  } finally {
    await service.set(parEnabled, false);
    await service.set(dpopEnabled, false);
  }
});

describe('several instances', () => {
  it('share clients, logins, codes and tokens, also after a restart', async () => {
    let serving = service;
    const other = await service.another();
    const party = await relyingParty(() => serving, app);
    const { url, checks } = await begin(party, { scope: 'openid offline_access' });
    const callback = await authorize(ann.client, url);
    serving = other;
    const tokens = await oidc.authorizationCodeGrant(party, callback, checks);
    serving = service;
    await oidc.fetchUserInfo(party, tokens.access_token, ann.id);
    const restarted = await service.another();
    serving = restarted;
    const fresh = await oidc.refreshTokenGrant(party, tokens.refresh_token!);
    serving = other;
    await oidc.tokenRevocation(party, fresh.refresh_token!);
    serving = await service.another();
    await expect(oidc.refreshTokenGrant(party, fresh.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('follow a rotation of all keys under load without ending a login or token', async () => {
    const serviceClient = await register(admin, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scopes: ['role:read'],
    });
    const party = await relyingParty(() => service, serviceClient);
    const work = async (): Promise<oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers> => {
      const tokens = await logInAt(config, ann.client);
      await oidc.fetchUserInfo(config, tokens.access_token, ann.id);
      await oidc.clientCredentialsGrant(party, { scope: 'role:read', resource: 'urn:castellan:iam' });
      return tokens;
    };
    const before = await work();
    const previous = (await keys()).keys.map(({ kid }) => kid);
    const [rotated] = await Promise.all([admin.post('/api/signing-key'), ...Array.from({ length: 6 }, work)]);
    expect(rotated.status).toBe(201);
    const published = (await keys()).keys;
    expect(published.map(({ alg }) => alg).sort()).toEqual(['ES256', 'ES256', 'ES256', 'ES256', 'RS256', 'RS256']);
    const next = published.map(({ kid }) => kid).filter((kid) => !previous.includes(kid));
    expect(next).not.toContain(kidOf((await work()).id_token!));

    await service.query(`UPDATE signing_key SET signs_from = now() - interval '1 second' WHERE id = ANY($1)`, [next]);
    const other = await service.another();
    const browser = new TestClient(other.app);
    for (const [name, value] of ann.client.jar) browser.jar.set(name, value);
    const after = await logInAt(await relyingParty(() => other, app), browser);
    expect(next).toContain(kidOf(after.id_token!));
    await oidc.fetchUserInfo(config, before.access_token, ann.id);
    await jwtVerify(before.id_token!, createLocalJWKSet(await keys()), { issuer: ISSUER });
    expect((await ann.client.get('/api/auth/me')).status).toBe(200);
  });
});

it('F08 introspects a token only for its own client, and revokes an unknown one silently', async () => {
  const { access_token: token } = await logInAt(config, ann.client);
  const other = await register(admin);
  const about = async (client: Registered, asked: string): Promise<unknown> =>
    (await post(service, '/api/oauth/introspect', { token: asked }, basic(client))).body;
  expect(await about(other, token)).toEqual({ active: false });
  expect(await about(app, 'unknown')).toEqual({ active: false });
  expect(await about(app, token)).toMatchObject({ active: true, iss: ISSUER });
  expect((await post(service, '/api/oauth/revoke', { token: 'unknown' }, basic(app))).status).toBe(200);
});

it('stores no token or cookie in the database in clear text', async () => {
  const tokens = await logInAt(config, ann.client, { scope: 'openid offline_access' });
  const rows = JSON.stringify(await service.query('SELECT * FROM oauth_artifact'));
  for (const secret of [tokens.access_token, tokens.refresh_token, ann.client.jar.get('castellan_oauth')]) {
    expect(secret).toEqual(expect.any(String));
    expect(rows).not.toContain(secret);
  }
});

describe('ID token claims about authentication', () => {
  let people = 0;
  const [ONE, TWO] = ['urn:castellan:acr:1fa', 'urn:castellan:acr:2fa'];
  const said = ({ amr, acr }: Record<string, unknown> = {}): unknown => ({ amr, acr });
  const inTwoSteps = async (browser: TestClient, username: string, secret: string): Promise<void> => {
    await firstStep(browser, username);
    const done = await secondStep(browser, { method: 'totp', code: await freshCode(service, secret) });
    expect(done.status).toBe(200);
  };

  it('show one or two factors according to the login of the tokens', async () => {
    const ann = await userWith(service, admin, `said_${people++}`);
    const first = await logInAt(config, ann.client, { scope: 'openid profile offline_access' });
    expect(said(first.claims())).toEqual({ amr: ['pwd'], acr: ONE });
    expect(first.claims()!['auth_time']).toEqual(expect.any(Number));

    const { secret } = await enrolTotp(await service.logIn(ann.username));
    const browser = service.client();
    await inTwoSteps(browser, ann.username, secret);
    expect(said((await logInAt(config, browser)).claims())).toEqual({ amr: ['pwd', 'otp', 'mfa'], acr: TWO });
    const renewed = await oidc.refreshTokenGrant(config, first.refresh_token!);
    expect(said(renewed.claims())).toEqual({ amr: ['pwd'], acr: ONE });
    expect(config.serverMetadata()['acr_values_supported']).toEqual([ONE, TWO]);
  });

  it('follow acr_values: a user with a second factor must use it, a user without is not asked', async () => {
    const ann = await userWith(service, admin, `said_${people++}`);
    const wanted = { acr_values: `urn:example:unknown ${TWO}` };
    expect(said((await logInAt(config, ann.client, wanted)).claims())).toMatchObject({ acr: ONE });
    const { secret } = await enrolTotp(await service.logIn(ann.username));

    const silent = new URL(await redirectOf(ann.client, (await begin(config, { ...wanted, prompt: 'none' })).url));
    expect(silent.searchParams.get('code')).not.toBeNull();
    const { url } = await begin(config, { acr_values: `${ONE} ${TWO}` });
    expect(await redirectOf(ann.client, url)).toMatch(/callback\?code=/);

    await service.query(`UPDATE session SET authenticated_at = now() - interval '1 minute' WHERE user_id = $1`, [
      ann.id,
    ]);
    const browser = new TestClient((await service.another()).app);
    for (const [name, value] of ann.client.jar) browser.jar.set(name, value);
    const page = await redirectOf(browser, (await begin(config, wanted)).url);
    expect(page).toMatch(/^\/login\?/);
    expectProblem(await decideAt(browser, page), 401, 'reauthentication_required');
    await inTwoSteps(browser, ann.username, secret);
    const { redirect } = (await decideAt(browser, page)).body;
    expect(await redirectOf(browser, redirect)).toMatch(/callback\?code=/);
    expect(said((await logInAt(config, browser, wanted)).claims())).toMatchObject({ acr: TWO });
  });
});
