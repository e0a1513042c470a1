import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';
import { endSessions, ISSUER, person, register } from './service.mjs';

const redirect_uri = 'http://localhost:9/callback';
let people;
let machine;

before(async () => {
  const client = await register({ name: 'simple-oauth2', redirect_uris: [redirect_uri] });
  const { client_id: id, client_secret: secret } = client;
  const issuer = ISSUER;
  // <configuration>
  const auth = { tokenHost: issuer, tokenPath: '/api/oauth/token', revokePath: '/api/oauth/revoke' };
  people = new AuthorizationCode({
    client: { id, secret },
    auth: { ...auth, authorizePath: '/api/oauth/authorize' },
    options: { authorizationMethod: 'header', credentialsEncodingMode: 'loose' },
  });
  // </configuration>
  const own = await register({
    redirect_uris: [],
    grant_types: ['client_credentials'],
    scopes: ['role:read'],
    name: 'M',
  });
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
  // It wants JSON of an answer that has none (RFC 7009 §2.2); the token is revoked all the same.
  await assert.rejects(fresh.revoke('refresh_token'), /not JSON compatible/);
  await assert.rejects(fresh.refresh(), (error) => error.data.payload.error === 'invalid_grant');
});

test('is refused a refresh once an administrator ended the session', async () => {
  const ann = await person();
  const token = await logIn(ann);
  await endSessions(ann);
  await assert.rejects(token.refresh(), (error) => error.data.payload.error === 'invalid_grant');
});

test('gets a token of its own without naming the resource', async () => {
  assert.equal((await machine.getToken({ scope: 'role:read' })).token.scope, 'role:read');
});
