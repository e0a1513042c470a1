import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import express from 'express';
import { auth, requiredScopes } from 'express-oauth2-jwt-bearer';
import { application } from './application.mjs';
import { ISSUER, register } from './service.mjs';

let app;
let token;

before(async () => {
  const client = await register({
    name: 'Machine',
    redirect_uris: [],
    grant_types: ['client_credentials'],
    scopes: ['role:read', 'role:update'],
  });
  const response = await fetch(`${ISSUER}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'role:read' }),
  });
  token = (await response.json()).access_token;

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

test('takes an access token of its resource, within its scope', async () => {
  assert.equal(await statusOf('/roles', token), 200);
  assert.equal(await statusOf('/change', token), 403);
  assert.equal(await statusOf('/roles'), 401);
  assert.equal(await statusOf('/roles', `${token.slice(0, -4)}AAAA`), 401);
});
