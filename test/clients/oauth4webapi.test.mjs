import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { endSessions, ISSUER, person, register } from './service.mjs';

const home = 'http://localhost:9/';
const redirectUri = 'http://localhost:9/callback';
const options = { [oauth.allowInsecureRequests]: true };
let server;
let client;
let authentication;

before(async () => {
  // <registration>
  const registration = {
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [home],
    scopes: ['openid', 'profile', 'offline_access'],
  };
  // </registration>
  const registered = await register({ name: 'oauth4webapi', ...registration });
  const { client_id, client_secret: clientSecret } = registered;
  const issuer = new URL(ISSUER);
  // <configuration>
  server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
  client = { client_id, id_token_signed_response_alg: 'RS256' };
  authentication = oauth.ClientSecretBasic(clientSecret);
  // </configuration>
});

async function logIn(browser) {
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(server.authorization_endpoint);
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile offline_access',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const callback = oauth.validateAuthResponse(server, client, await browser.callback(url, redirectUri));
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    callback,
    redirectUri,
    verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, { requireIdToken: true });
  await oauth.validateApplicationLevelSignature(server, response, options);
  return tokens;
}

const refresh = async (token) =>
  oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, authentication, token, options),
  );

test('logs in, reads userinfo, refreshes and revokes', async () => {
  const ann = await person();
  const tokens = await logIn(ann);
  const { sub } = oauth.getValidatedIdTokenClaims(tokens);
  const response = await oauth.userInfoRequest(server, client, tokens.access_token, options);
  const info = await oauth.processUserInfoResponse(server, client, sub, response);
  assert.equal(info.preferred_username, ann.username);
  const fresh = await refresh(tokens.refresh_token);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, authentication, fresh.refresh_token, options),
  );
  await assert.rejects(refresh(fresh.refresh_token), { error: 'invalid_grant' });
});

test('logs out at the discovered end_session_endpoint', async () => {
  const ann = await person();
  const tokens = await logIn(ann);
  const url = new URL(server.end_session_endpoint);
  url.searchParams.set('id_token_hint', tokens.id_token);
  url.searchParams.set('post_logout_redirect_uri', home);
  assert.equal((await ann.callback(url, home)).href, home);
  assert.equal((await ann.fetch(`${ISSUER}/api/auth/me`)).status, 401);
  await assert.rejects(refresh(tokens.refresh_token), { error: 'invalid_grant' });
});

test('cannot refresh after an administrator ended the session', async () => {
  const ann = await person();
  const tokens = await logIn(ann);
  await endSessions(ann);
  await assert.rejects(refresh(tokens.refresh_token), { error: 'invalid_grant' });
});
