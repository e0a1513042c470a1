import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as oidc from 'openid-client';
import { endSessions, ISSUER, person, register } from './service.mjs';

const home = 'http://localhost:9/';
const redirect_uri = 'http://localhost:9/callback';
let config;

before(async () => {
  // <registration>
  const registration = {
    redirect_uris: [redirect_uri],
    post_logout_redirect_uris: [home],
    scopes: ['openid', 'profile', 'offline_access'],
    id_token_signed_response_alg: 'ES256',
  };
  // </registration>
  const client = await register({ name: 'openid-client', ...registration });
  const { client_id: clientId, client_secret: clientSecret } = client;
  const issuer = new URL(ISSUER);
  const options = { execute: [oidc.allowInsecureRequests] };
  // <configuration>
  config = await oidc.discovery(
    issuer,
    clientId,
    // The registered algorithm. The library expects RS256 by default.
    { client_secret: clientSecret, id_token_signed_response_alg: 'ES256' },
    oidc.ClientSecretBasic(clientSecret),
    options,
  );
  // </configuration>
});

async function logIn(browser, more = {}) {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'openid profile offline_access',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...more,
  });
  const callback = await browser.callback(url, redirect_uri);
  return oidc.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState, expectedNonce });
}

test('logs in, reads userinfo, refreshes, introspects, revokes and logs out', async () => {
  const ann = await person();
  const tokens = await logIn(ann);
  const info = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
  assert.equal(info.preferred_username, ann.username);
  const fresh = await oidc.refreshTokenGrant(config, tokens.refresh_token);
  assert.equal((await oidc.tokenIntrospection(config, fresh.access_token)).active, true);
  await oidc.tokenRevocation(config, fresh.refresh_token);
  assert.equal((await oidc.tokenIntrospection(config, fresh.access_token)).active, false);
  const url = oidc.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token,
    post_logout_redirect_uri: home,
  });
  assert.equal((await ann.callback(url, home)).href, home);
});

test('gets login_required for prompt=none after the logout', async () => {
  const ann = await person();
  await logIn(ann);
  assert.ok((await logIn(ann, { prompt: 'none' })).id_token);
  await ann.fetch(`${ISSUER}/api/auth/logout`, { method: 'POST' });
  await assert.rejects(logIn(ann, { prompt: 'none' }), { error: 'login_required' });
});

test('cannot refresh after an administrator ended the session', async () => {
  const ann = await person();
  const tokens = await logIn(ann);
  await endSessions(ann);
  await assert.rejects(oidc.refreshTokenGrant(config, tokens.refresh_token), { error: 'invalid_grant' });
});
