import { createLocalJWKSet, generateKeyPair, JSONWebKeySet, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import * as oidc from 'openid-client';
import { userWith, UserWithGrants } from '../support/accounts/holders';
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
  Registered,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';
import { withService } from '../support/service/with-service';

/** Tests are named after the modules of the OpenID plan `oidcc-basic-certification-test-plan`. */
const ALL_SCOPES = ['openid', 'profile', 'email', 'phone', 'offline_access'];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ELSEWHERE = { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' };
const OF_SCOPE: Readonly<Record<string, string[]>> = {
  profile: ['locale', 'name', 'nickname', 'picture', 'preferred_username', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
};

let service: TestService;
let later: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let app: Registered;
let config: oidc.Configuration;
let people = 0;

withService(async (started) => {
  service = started;
  later = await service.another();
  admin = await service.admin();
  ann = await userWith(service, admin, 'ann');
  const profile = { nickname: 'Ann', locale: 'en', email: 'ann@example.com', phone: '+8613812345678' };
  expect((await ann.client.patch('/api/auth/me', profile)).status).toBe(200);
  app = await register(admin, {
    scopes: ALL_SCOPES,
    post_logout_redirect_uris: ['https://app.example.com/bye'],
  });
  config = await relyingParty(() => service, app);
});

/** Error code that returns to the application or that the error page shows. */
async function errorOf(browser: TestClient, url: URL): Promise<string | null> {
  const answer = await browser.get(`${url.pathname}${url.search}`);
  const { location } = answer.headers;
  return location === undefined ? answer.text : new URL(String(location)).searchParams.get('error');
}

/** Creates a user who logged in an hour ago, in a browser at an instance without a cached session. */
async function loggedInAnHourAgo(): Promise<{ browser: TestClient; person: UserWithGrants }> {
  const person = await userWith(service, admin, `person_${people++}`);
  await logInAt(config, person.client);
  await service.query(`UPDATE session SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`, [
    person.id,
  ]);
  const browser = new TestClient(later.app);
  for (const [name, value] of person.client.jar) browser.jar.set(name, value);
  return { browser, person };
}

async function userinfoOf(
  token: string,
  request: Partial<{ method: 'GET' | 'POST'; form: boolean }> = {},
): Promise<object> {
  const { method = 'GET', form = false } = request;
  const answer = await service.client().send<object>(method, '/api/oauth/userinfo', {
    ...(form ? { raw: `access_token=${token}`, headers: FORM } : { headers: { authorization: `Bearer ${token}` } }),
  });
  expect([answer.status, String(answer.headers['content-type'])]).toEqual([
    200,
    expect.stringMatching(/^application\/json/),
  ]);
  return answer.body;
}

it('oidcc-server', async () => {
  const tokens = await logInAt(config, ann.client);
  const { body } = await service.client().get<JSONWebKeySet>('/.well-known/jwks.json');
  const { payload, protectedHeader } = await jwtVerify(tokens.id_token!, createLocalJWKSet(body), {
    issuer: ISSUER,
    audience: app.client_id,
  });
  expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: expect.any(String) as string });
  expect(payload).toMatchObject({
    sub: ann.id,
    nonce: expect.any(String) as string,
    iat: expect.any(Number) as number,
  });
});

it('oidcc-server-client-secret-post', async () => {
  const party = await relyingParty(() => service, app, oidc.ClientSecretPost(app.client_secret));
  expect((await logInAt(party, ann.client)).claims()!.sub).toBe(ann.id);
});

it('oidcc-response-type-missing', async () => {
  const { url } = await begin(config);
  url.searchParams.delete('response_type');
  expect(await errorOf(ann.client, url)).toBe('invalid_request');
});

describe('userinfo', () => {
  it.each<[string, Parameters<typeof userinfoOf>[1]]>([
    ['oidcc-userinfo-get', {}],
    ['oidcc-userinfo-post-header', { method: 'POST' }],
    ['oidcc-userinfo-post-body', { method: 'POST', form: true }],
  ])('%s', async (_, request) => {
    const { access_token: token } = await logInAt(config, ann.client);
    expect(await userinfoOf(token, request)).toMatchObject({ sub: ann.id });
  });
});

describe('scopes', () => {
  it.each<[string, string, string[]]>([
    ['oidcc-scope-profile', 'openid profile', ['profile']],
    ['oidcc-scope-email', 'openid email', ['email']],
    ['oidcc-scope-address: ignores the unsupported scope without an error', 'openid address', []],
    ['oidcc-scope-phone', 'openid phone', ['phone']],
    ['oidcc-scope-all', 'openid profile email address phone', ['profile', 'email', 'phone']],
    ['oidcc-ensure-other-scope-order-succeeds', 'email openid', ['email']],
  ])('%s', async (_, scope, given) => {
    const { access_token: token } = await logInAt(config, ann.client, { scope });
    const names = given.flatMap((name) => OF_SCOPE[name] ?? []);
    expect(Object.keys(await userinfoOf(token)).sort()).toEqual(['sub', ...names].sort());
  });
});

describe('a request with', () => {
  const hint = async (): Promise<string> => (await logInAt(config, ann.client)).id_token!;

  it.each<[string, () => Record<string, string> | Promise<Record<string, string>>]>([
    ['oidcc-display-page', () => ({ display: 'page' })],
    ['oidcc-display-popup', () => ({ display: 'popup' })],
    ['oidcc-max-age-10000', () => ({ max_age: '10000' })],
    ['oidcc-prompt-none-logged-in', () => ({ prompt: 'none' })],
    ['oidcc-id-token-hint', async () => ({ id_token_hint: await hint(), prompt: 'none' })],
    ['oidcc-login-hint', () => ({ login_hint: 'ann@example.com' })],
    ['oidcc-ui-locales', () => ({ ui_locales: 'se' })],
    ['oidcc-claims-locales', () => ({ claims_locales: 'se' })],
    ['oidcc-ensure-request-with-acr-values-succeeds', () => ({ acr_values: '1 2' })],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', () => ({ extra: 'foobar' })],
  ])('%s', async (_, parameters) => {
    const before = (await logInAt(config, ann.client)).claims()!;
    const claims = (await logInAt(config, ann.client, await parameters())).claims()!;
    expect([claims.sub, claims.auth_time]).toEqual([ann.id, before.auth_time]);
  });

  it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    const { url, checks } = await begin(config);
    url.searchParams.delete('nonce');
    const { expectedNonce: _, ...others } = checks;
    const tokens = await oidc.authorizationCodeGrant(config, await authorize(ann.client, url), others);
    expect(tokens.claims()).not.toHaveProperty('nonce');
  });

  it('oidcc-claims-essential: ignores the claims parameter, as discovery declares', async () => {
    const claims = JSON.stringify({ userinfo: { email: { essential: true } }, id_token: { email: null } });
    const tokens = await logInAt(config, ann.client, { scope: 'openid', claims });
    expect(await userinfoOf(tokens.access_token)).toEqual({ sub: ann.id });
    expect(tokens.claims()).not.toHaveProperty('email');
    expect(config.serverMetadata().claims_parameter_supported ?? false).toBe(false);
  });

  it.each<[string, object]>([
    ['oidcc-unsigned-request-object-supported-correctly-or-rejected', { state: 'other' }],
    ['oidcc-ensure-request-object-with-redirect-uri', { redirect_uri: 'https://app.example.com/other' }],
  ])('%s', async (_, claims) => {
    const { url } = await begin(config);
    url.searchParams.set('request', new UnsecuredJWT({ client_id: app.client_id, ...claims }).encode());
    expect(await errorOf(ann.client, url)).toBe('request_not_supported');
  });
});

describe('authentication requests', () => {
  it('oidcc-prompt-none-not-logged-in', async () => {
    expect(await errorOf(service.client(), (await begin(config, { prompt: 'none' })).url)).toBe('login_required');
  });

  it.each<[string, Record<string, string>]>([
    ['oidcc-prompt-login', { prompt: 'login' }],
    ['oidcc-max-age-1', { max_age: '1' }],
  ])('%s', async (_, parameters) => {
    const { browser, person } = await loggedInAnHourAgo();
    const party = await relyingParty(() => later, app);
    const before = (await logInAt(party, browser)).claims()!;
    const { url, checks } = await begin(party, parameters);
    const page = await redirectOf(browser, url);
    expect(page).toMatch(/^\/login\?/);
    expectProblem(await decideAt(browser, page), 401, 'reauthentication_required');
    await browser.post('/api/auth/reauthenticate', { password: PASSWORD });
    const back = new URL(await redirectOf(browser, (await decideAt(browser, page)).body.redirect));
    const after = (await oidc.authorizationCodeGrant(party, back, checks)).claims()!;
    expect(after.sub).toBe(person.id);
    expect(Number(after.auth_time) - Number(before.auth_time)).toBeGreaterThanOrEqual(3_590);
  });
});

describe('codes and tokens', () => {
  const redeem = (code: string, verifier: string): ReturnType<typeof post> => {
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
    return post(service, '/api/oauth/token', form, basic(app));
  };

  it.each<[string, number]>([
    ['oidcc-codereuse', 0],
    ['oidcc-codereuse-30seconds', 30],
  ])('%s', async (_, seconds) => {
    const { url, verifier } = await begin(config);
    const code = (await authorize(ann.client, url)).searchParams.get('code')!;
    const { body } = await redeem(code, verifier);
    const token = String(body['access_token']);
    await userinfoOf(token);
    await service.query(`UPDATE oauth_artifact SET consumed_at = consumed_at - make_interval(secs => $1::int)`, [
      seconds,
    ]);
    const again = await redeem(code, verifier);
    expect([again.status, again.body['error']]).toEqual([400, 'invalid_grant']);
    const { status } = await service
      .client()
      .get('/api/oauth/userinfo', { headers: { authorization: `Bearer ${token}` } });
    expect(status).toBe(401);
  });

  it('oidcc-refresh-token', async () => {
    const first = await logInAt(config, ann.client, { scope: 'openid offline_access', prompt: 'consent' });
    const next = await oidc.refreshTokenGrant(config, first.refresh_token!);
    const [before, after] = [first.claims()!, next.claims()!];
    expect(after).toMatchObject({ iss: before.iss, sub: before.sub, aud: before.aud, auth_time: before.auth_time });
    expect(after.iat).toBeGreaterThanOrEqual(before.iat);
    const other = await relyingParty(() => service, await register(admin));
    const byOther = oidc.refreshTokenGrant(other, next.refresh_token!);
    await expect(byOther).rejects.toMatchObject({ error: 'invalid_grant' });
    await oidc.refreshTokenGrant(config, next.refresh_token!);
  });

  it('oidcc-ensure-registered-redirect-uri', async () => {
    const { url } = await begin(config, { redirect_uri: `${CALLBACK}-other` });
    expect(await errorOf(ann.client, url)).toContain('invalid_redirect_uri');
  });
});

describe('oidcc-ensure-post-request-succeeds', () => {
  const posted = (path: string, form: string, headers = {}): ReturnType<TestClient['send']> =>
    service.client().send('POST', path, { raw: form, headers: { ...FORM, ...ELSEWHERE, ...headers } });

  it('redirects a cross-site form by GET to restore the session cookies', async () => {
    const { url, checks } = await begin(config);
    const { status, headers } = await posted(url.pathname, url.search.slice(1));
    expect([status, headers['location']]).toEqual([
      303,
      `${url.pathname}?${url.searchParams.toString().replaceAll('+', '%20')}`,
    ]);
    const back = await authorize(ann.client, new URL(String(headers['location']), ISSUER));
    expect((await oidc.authorizationCodeGrant(config, back, checks)).claims()!.sub).toBe(ann.id);
  });

  it('rejects by POST what GET rejects, and stores nothing', async () => {
    const rows = (): Promise<unknown> => service.query('SELECT count(*) FROM oauth_artifact');
    const before = await rows();
    const { headers } = await posted('/api/oauth/authorize?client_id=a', 'scope=openid&scope=email&state=%00%0d%0a');
    expect(headers['location']).toBe('/api/oauth/authorize?scope=openid&scope=email&state=%00%0D%0A');
    expect((await service.client().get(String(headers['location']))).status).toBe(400);
    expect(await rows()).toEqual(before);
  });

  it('accepts only forms, up to the length of an address, for logout too', async () => {
    const { headers } = await posted('/api/oauth/logout', 'state=x1');
    expect(headers['location']).toBe('/api/oauth/logout?state=x1');
    for (const path of ['/api/oauth/authorize', '/api/oauth/logout']) {
      const json = await service.client().post(path, {}, { headers: ELSEWHERE });
      expectProblem(json, 415, 'unsupported_media_type');
      expect((await posted(path, `state=${'x'.repeat(8_192)}`)).status).toBe(413);
      expect((await posted(path, `state=${'x'.repeat(70_000)}`)).status).toBe(413);
    }
  });
});

it('accepts an id_token_hint signed with a retired key, and asks for confirmation before the logout', async () => {
  /** Signed with a key that the service does not have, like a key that was retired long ago. */
  const hintOf = async (clientId: string): Promise<string> => {
    const { privateKey } = await generateKeyPair('RS256');
    const token = new SignJWT({ sub: ann.id }).setProtectedHeader({ alg: 'RS256', kid: 'long-gone' });
    return token.setAudience(clientId).setIssuer(ISSUER).sign(privateKey);
  };
  const ask = async (hint: string, more: Record<string, string> = {}): Promise<number> => {
    const url = oidc.buildEndSessionUrl(config, { id_token_hint: hint, ...more });
    return (await ann.client.get(`${url.pathname}${url.search}`)).status;
  };
  const hint = await hintOf(app.client_id);
  const bye = { post_logout_redirect_uri: 'https://app.example.com/bye' };
  expect([await ask(hint, bye), await ask(hint, { client_id: app.client_id })]).toEqual([200, 200]);
  expect((await ann.client.get('/api/auth/me')).status).toBe(200);
  const wrong = [
    await ask(hint, { client_id: 'another' }),
    await ask(await hintOf('nobody')),
    await ask(hint, { post_logout_redirect_uri: 'https://evil.example/' }),
    await ask('rubbish'),
  ];
  expect(wrong).toEqual([400, 400, 400, 400]);
});
