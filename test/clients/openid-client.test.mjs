import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as oidc from 'openid-client';
import { endSessions, ISSUER, person, register } from './service.mjs';

const redirect_uri = 'http://localhost:9/callback';
let config;

before(async () => {
  const client = await register({
    name: 'openid-client',
    redirect_uris: [redirect_uri],
    post_logout_redirect_uris: ['http://localhost:9/'],
    id_token_signed_response_alg: 'ES256',
  });
  const { client_id: clientId, client_secret: clientSecret } = client;
  const issuer = new URL(ISSUER);
  const options = { execute: [oidc.allowInsecureRequests] };
  // <configuration>
  config = await oidc.discovery(
    issuer,
    clientId,
    // As the client is registered; without it RS256 is expected.
    { client_secret: clientSecret, id_token_signed_response_alg: 'ES256' },
    oidc.ClientSecretBasic(clientSecret),
    options,
  );
  // </configuration>
});

async function logIn(browser) {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'openid profile offline_access',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
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
    post_logout_redirect_uri: 'http://localhost:9/',
  });
  assert.equal((await ann.callback(url, 'http://localhost:9/')).href, 'http://localhost:9/');
});

test('is refused a refresh once an administrator ended the session', async () => {
  const ann = await person();
  const tokens = await logIn(ann);
  await endSessions(ann);
  await assert.rejects(oidc.refreshTokenGrant(config, tokens.refresh_token), { error: 'invalid_grant' });
});
