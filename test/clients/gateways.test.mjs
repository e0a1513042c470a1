import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, request as open } from 'node:http';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as oidc from 'openid-client';
import { parse } from 'yaml';
import { examples } from './examples.mjs';
import { administrator, api, declarePermissions, eventually, ISSUER, person, register } from './service.mjs';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'examples/gateways');
const { start, stop } = examples(folder);
const redirect_uri = 'http://localhost:9/callback';
const resource = 'urn:castellan:billing';
const AUTHORIZER = 'http://127.0.0.1:4700';

const configuration = (file) => parse(readFileSync(join(folder, file), 'utf8'));
const envoy = configuration('envoy.yaml').static_resources;
const manager = envoy.listeners[0].filter_chains[0].filters[0].typed_config;
const filter = manager.http_filters[0].typed_config;
const [route] = configuration('apisix.yaml').routes;
const forward = route.plugins['forward-auth'];
const [kong] = configuration('kong.yaml').services;
const lua = kong.plugins[0].config.access[0];

/** How each gateway sends a request to the authorizer: the path and the headers. */
const gateways = {
  Envoy: ({ method, path }) => ({ method, path: `${filter.http_service.path_prefix}${path}`, headers: {} }),
  APISIX: ({ method, path }) => ({
    method: forward.request_method,
    path: forward.uri.replace(AUTHORIZER, ''),
    headers: { 'x-forwarded-method': method, 'x-forwarded-uri': path },
  }),
  Kong: ({ method, path }) => ({
    method: 'GET',
    path: /request_uri\("([^"]+)"/.exec(lua)[1].replace(AUTHORIZER, ''),
    headers: { 'x-forwarded-method': method, 'x-forwarded-uri': path },
  }),
};

let url;
let config;
let holder;
let token;
let gateway;

async function tokenOf(browser, scope) {
  const [pkceCodeVerifier, expectedState] = [oidc.randomPKCECodeVerifier(), oidc.randomState()];
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri,
    resource,
    scope: `openid ${scope}`,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  });
  const callback = await browser.callback(address, redirect_uri);
  const checks = { pkceCodeVerifier, expectedState };
  return (await oidc.authorizationCodeGrant(config, callback, checks, { resource })).access_token;
}

const change = async ({ id }, body) => api(await administrator(), 'PATCH', `/api/user/${id}/permissions`, body);

before(async () => {
  await declarePermissions('billing', ['invoice:read', 'invoice:create', 'invoice:delete']);
  const scopes = ['billing:invoice:read', 'billing:invoice:create', 'billing:invoice:delete'];
  const client = await register({
    name: 'Caller through a gateway',
    redirect_uris: [redirect_uri],
    grant_types: ['authorization_code', 'client_credentials'],
    scopes: ['openid', 'role:read', ...scopes],
  });
  config = await oidc.discovery(new URL(ISSUER), client.client_id, client.client_secret, undefined, {
    execute: [oidc.allowInsecureRequests],
  });
  const ann = await person();
  await ann.logIn();
  holder = await api(ann, 'GET', '/api/auth/me');
  const grant = { scope: 'billing', permission_id: 'invoice:*', level: 3 };
  await change(holder, { add: [grant] });
  token = await tokenOf(ann, 'billing:invoice:read billing:invoice:delete');

  const machine = { redirect_uris: [], grant_types: ['client_credentials'], scopes: ['permission:read'] };
  const { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = await register({ name: 'Gateway', ...machine });
  gateway = { CLIENT_ID, CLIENT_SECRET };
  const { lines } = start('authorizer.mjs', { ISSUER, PORT: '0', ...gateway });
  url = await lines(/Listening on (http:\S+)/);
});

after(stop);

/** Sends the path unchanged. `fetch` would normalize it. */
async function send({ method, path, headers }, bearer, address = url) {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const { hostname, port } = new URL(address);
  const asked = open({ hostname, port, method, path, headers: { ...headers, ...authorization }, agent: false }).end();
  const [answer] = await once(asked, 'response');
  answer.resume();
  return { status: answer.statusCode, headers: answer.headers };
}

for (const [name, form] of Object.entries(gateways)) {
  describe(`the authorizer behind ${name}`, () => {
    const statusOf = async (method, path, bearer = token) => (await send(form({ method, path }), bearer)).status;

    test('lets a request pass that token and user allow, and names the user', async () => {
      const { status, headers } = await send(form({ method: 'GET', path: '/invoices/4711?x=1' }), token);
      assert.deepEqual([status, headers['x-user-id']], [200, holder.id]);
      assert.equal(await statusOf('GET', '/invoices'), 200);
    });

    test('denies what the token does not name, although the user may', async () => {
      const { status, headers } = await send(form({ method: 'POST', path: '/invoices' }), token);
      assert.equal(status, 403);
      assert.match(headers['www-authenticate'], /insufficient_scope.*billing:invoice:create/);
    });

    test('denies requests that no route names, and odd spellings of those that one does', async () => {
      for (const path of ['/', '/orders', '/invoicesx', '/invoices/1/lines', '//invoices', '/./invoices']) {
        assert.equal(await statusOf('GET', path), 403, path);
      }
      for (const path of ['/x/../invoices', '/%69nvoices', '/invoices/%2e%2e']) {
        assert.equal(await statusOf('GET', path), 403, path);
      }
      assert.equal(await statusOf('PUT', '/invoices'), 403);
    });

    test('returns 401 without a valid token for the API', async () => {
      const other = await oidc.clientCredentialsGrant(config, { scope: 'role:read', resource: 'urn:castellan:iam' });
      for (const bearer of [undefined, 'x', `${token.slice(0, -4)}AAAA`, other.access_token]) {
        assert.equal(await statusOf('GET', '/invoices', bearer ?? ''), 401);
      }
    });

    test('denies the token of a program, which is no user', async () => {
      const own = await oidc.clientCredentialsGrant(config, { scope: 'billing:invoice:read', resource });
      assert.equal(await statusOf('GET', '/invoices', own.access_token), 403);
    });
  });
}

describe('the authorizer', () => {
  const request = gateways.Envoy({ method: 'GET', path: '/invoices' });

  test('denies what the user may no longer do, with the same token', async () => {
    await change(holder, { remove: ['billing:invoice:*'] });
    await eventually(
      () => send(request, token),
      ({ status }) => status === 403,
    );
    await change(holder, { add: [{ scope: 'billing', permission_id: 'invoice:*', level: 3 }] });
    await eventually(
      () => send(request, token),
      ({ status }) => status === 200,
    );
  });

  test('ignores headers of a client where the gateway repeats the request', async () => {
    const headers = { 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/invoices' };
    assert.equal((await send({ method: 'GET', path: '/envoy/orders', headers }, token)).status, 403);
    assert.equal((await send({ method: 'GET', path: '/other', headers }, token)).status, 403);
  });

  test('returns 503 when Castellan rejects its own credentials or is away', async () => {
    const documents = {
      '/.well-known/authzen-configuration': (address) => ({
        policy_decision_point: address,
        access_evaluation_endpoint: `${ISSUER}/access/v1/evaluation`,
      }),
      '/.well-known/openid-configuration': () => ({ token_endpoint: `${ISSUER}/api/oauth/token` }),
    };
    const stub = createServer((asked, response) => {
      const document = documents[asked.url]?.(`http://${asked.headers.host}`);
      response.writeHead(document ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    });
    stub.listen(0, '127.0.0.1');
    await once(stub, 'listening');
    const issuer = `http://127.0.0.1:${stub.address().port}`;
    const away = await start('authorizer.mjs', { ISSUER: issuer, PORT: '0', ...gateway }).lines(/on (http:\S+)/);
    assert.equal((await send(request, token, away)).status, 503);
    stub.close();
    const wrong = { ...gateway, CLIENT_SECRET: 'x' };
    const rejected = await start('authorizer.mjs', { ISSUER, PORT: '0', ...wrong }).lines(/on (http:\S+)/);
    assert.equal((await send(request, token, rejected)).status, 503);
  });
});

// The gateways are not installed. These checks only read their configurations.
describe('the configuration of each gateway', () => {
  test('asks the authorizer, and lets nothing pass without an answer', () => {
    assert.equal(filter['@type'], 'type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthz');
    assert.deepEqual([filter.failure_mode_allow, filter.http_service.server_uri.uri], [false, AUTHORIZER]);
    assert.deepEqual([manager.normalize_path, manager.merge_slashes], [true, true]);
    const clusters = envoy.clusters.map(({ name }) => name);
    assert.ok(clusters.includes(filter.http_service.server_uri.cluster) && clusters.includes('api'));
    assert.deepEqual(
      filter.allowed_headers.patterns.map(({ exact }) => exact),
      ['authorization'],
    );
    assert.deepEqual(filter.http_service.authorization_response.allowed_upstream_headers.patterns.length, 1);
    assert.deepEqual([forward.uri, forward.allow_degradation], [`${AUTHORIZER}/forward`, false]);
    assert.deepEqual([forward.request_headers, forward.upstream_headers], [['Authorization'], ['X-User-Id']]);
    assert.deepEqual([kong.plugins[0].name, kong.routes[0].strip_path], ['pre-function', false]);
    assert.match(lua, /if not answer then return kong\.response\.exit\(503\) end/);
  });
});
