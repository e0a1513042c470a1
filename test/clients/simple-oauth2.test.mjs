import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';
import { endSessions, ISSUER, person, register } from './service.mjs';

const home = 'http://localhost:9/';
const redirect_uri = 'http://localhost:9/callback';
let people;
let logoutUrl;
let machine;

before(async () => {
  // <registration>
  const registration = {
    redirect_uris: [redirect_uri],
    post_logout_redirect_uris: [home],
    scopes: ['openid', 'profile', 'offline_access'],
  };
  // </registration>
  const client = await register({ name: 'simple-oauth2', ...registration });
  const { client_id: id, client_secret: secret } = client;
  const issuer = ISSUER;
  // <configuration>
  const auth = { tokenHost: issuer, tokenPath: '/api/oauth/token', revokePath: '/api/oauth/revoke' };
  people = new AuthorizationCode({
    client: { id, secret },
    auth: { ...auth, authorizePath: '/api/oauth/authorize' },
    options: { authorizationMethod: 'header', credentialsEncodingMode: 'loose' },
  });
  logoutUrl = (idToken) => {
    const query = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: home });
    return `${issuer}/api/oauth/logout?${query}`;
  };
  // </configuration>
  // <registration>
  const machineRegistration = {
    grant_types: ['client_credentials'],
    scopes: ['role:read'],
  };
  // </registration>
  const own = await register({ name: 'M', ...machineRegistration });
  machine = new ClientCredentials({ client: { id: own.client_id, secret: own.client_secret }, auth });
});

async function logIn(browser) {
  const code_verifier = randomBytes(32).toString('base64url');
  const url = people.authorizeURL({
    redirect_uri,
    scope: 'openid profile offline_access',
    state: 'a state',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const code = (await browser.callback(url, redirect_uri)).searchParams.get('code');
  return people.getToken({ code, redirect_uri, code_verifier });
}

test('logs in, refreshes and revokes', async () => {
  const token = await logIn(await person());
  const fresh = await token.refresh();
  assert.notEqual(fresh.token.access_token, token.token.access_token);
  // The library expects JSON in the empty response (RFC 7009 §2.2). The token is revoked anyway.
  await assert.rejects(fresh.revoke('refresh_token'), /not JSON compatible/);
  await assert.rejects(fresh.refresh(), (error) => error.data.payload.error === 'invalid_grant');
});

test('logs out at the end-session URL', async () => {
  const ann = await person();
  const token = await logIn(ann);
  assert.equal((await ann.callback(logoutUrl(token.token.id_token), home)).href, home);
  assert.equal((await ann.fetch(`${ISSUER}/api/auth/me`)).status, 401);
  await assert.rejects(token.refresh(), (error) => error.data.payload.error === 'invalid_grant');
});

test('cannot refresh after an administrator ended the session', async () => {
  const ann = await person();
  const token = await logIn(ann);
  await endSessions(ann);
  await assert.rejects(token.refresh(), (error) => error.data.payload.error === 'invalid_grant');
});

test('gets a client token without naming the resource, also without a scope', async () => {
  assert.equal((await machine.getToken({ scope: 'role:read' })).token.scope, 'role:read');
  assert.equal((await machine.getToken({})).token.scope, 'role:read');
});
