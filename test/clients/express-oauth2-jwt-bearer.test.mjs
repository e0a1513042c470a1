import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import express from 'express';
import { auth, requiredScopes } from 'express-oauth2-jwt-bearer';
import * as oidc from 'openid-client';
import { application } from './application.mjs';
import { administrator, api, endSessions, ISSUER, person, register } from './service.mjs';

const SECONDS_AFTER_EXPIRY = 1_000;
const redirect_uri = 'http://localhost:9/callback';
let app;
let config;
let token;

before(async () => {
  // <registration>
  const registration = {
    redirect_uris: [redirect_uri],
    grant_types: ['authorization_code', 'client_credentials'],
    scopes: ['openid', 'role:read', 'role:update'],
  };
  // </registration>
  const client = await register({ name: 'A caller', ...registration });
  config = await oidc.discovery(new URL(ISSUER), client.client_id, client.client_secret, undefined, {
    execute: [oidc.allowInsecureRequests],
  });
  token = (await oidc.clientCredentialsGrant(config, { scope: 'role:read' })).access_token;

  app = await application();
  const issuerBaseURL = ISSUER;
  const server = express();
  // <configuration>
  server.use(
    auth({
      issuerBaseURL,
      audience: 'urn:castellan:iam',
      tokenSigningAlg: 'ES256',
      strict: true,
    }),
  );
  server.get('/roles', requiredScopes('role:read'), (_request, response) => response.json('roles'));
  // </configuration>
  server.get('/change', requiredScopes('role:update'), (_request, response) => response.json('changed'));
  // eslint-disable-next-line no-unused-vars -- Express knows a handler of errors by its four parameters
  server.use((error, _request, response, _next) => response.status(error.status ?? 500).json({ error: error.code }));
  app.use(server);
});

after(() => app.close());

const statusOf = async (path, bearer) =>
  (await fetch(`${app.url}${path}`, bearer && { headers: { authorization: `Bearer ${bearer}` } })).status;

test('accepts an access token of its resource within its scope', async () => {
  assert.equal(await statusOf('/roles', token), 200);
  assert.equal(await statusOf('/change', token), 403);
  assert.equal(await statusOf('/roles'), 401);
  assert.equal(await statusOf('/roles', `${token.slice(0, -4)}AAAA`), 401);
});

/** The access token of a user who holds `role:read`, for the resource. */
async function tokenOfUser(browser) {
  await browser.logIn();
  const { id } = await api(browser, 'GET', '/api/auth/me');
  const add = [{ permission_id: 'role:read', level: 1 }];
  await api(await administrator(), 'PATCH', `/api/user/${id}/permissions`, { add });
  const resource = 'urn:castellan:iam';
  const [pkceCodeVerifier, expectedState] = [oidc.randomPKCECodeVerifier(), oidc.randomState()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri,
    resource,
    scope: 'openid role:read role:update',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  });
  const callback = await browser.callback(url, redirect_uri);
  const checks = { pkceCodeVerifier, expectedState };
  return (await oidc.authorizationCodeGrant(config, callback, checks, { resource })).access_token;
}

test('accepts the access token of a user, with the permissions of that user only', async () => {
  const bearer = await tokenOfUser(await person());
  assert.equal(await statusOf('/roles', bearer), 200);
  assert.equal(await statusOf('/change', bearer), 403);
});

test('accepts the access token of an ended session until it expires', async () => {
  const ann = await person();
  const bearer = await tokenOfUser(ann);
  await endSessions(ann);
  assert.equal(await statusOf('/roles', bearer), 200);
  mock.timers.enable({ apis: ['Date'], now: Date.now() + SECONDS_AFTER_EXPIRY * 1_000 });
  try {
    for (const expired of [bearer, token]) assert.equal(await statusOf('/roles', expired), 401);
  } finally {
    mock.timers.reset();
  }
});
