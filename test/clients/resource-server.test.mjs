import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { examples } from './examples.mjs';
import { administrator, api, declarePermissions, ISSUER, person, register } from './service.mjs';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'examples/resource-server');
const { start, stop } = examples(folder);
const AUDIENCE = 'urn:castellan:billing';
const USER_PORT = '4600';

/** Starts the API of the example, which trusts the issuer, and returns its address. */
const startApi = (issuer) => start('server.mjs', { ISSUER: issuer, PORT: '0' }).lines(/Listening on (http:\S+)/);

const ask = (url, token, method = 'GET') =>
  fetch(`${url}/invoices`, { method, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

after(stop);

describe('the resource server of the example', () => {
  let url;
  let caller;

  before(async () => {
    await declarePermissions('billing', ['invoice:read', 'invoice:create']);
    const client = await register({
      name: 'Caller of the billing API',
      redirect_uris: [`http://127.0.0.1:${USER_PORT}/callback`],
      grant_types: ['authorization_code', 'client_credentials'],
      scopes: ['openid', 'billing:invoice:read', 'role:read'],
    });
    url = await startApi(ISSUER);
    caller = { ISSUER, API: url, CLIENT_ID: client.client_id, CLIENT_SECRET: client.client_secret };
  });

  test('accepts the token of a program that names it as resource', async () => {
    const { lines } = start('machine.mjs', caller);
    const answer = JSON.parse(await lines(/^200 (.+)$/m));
    assert.equal(answer.client, caller.CLIENT_ID);
  });

  test('refuses the token for another resource', async () => {
    const other = { ...caller, RESOURCE: 'urn:castellan:iam', SCOPE: 'role:read' };
    assert.ok(await start('machine.mjs', other).lines(/^(401) $/m));
  });

  /** Runs the program of the user, who logs in and consents, and returns the line that it prints. */
  async function answerTo(browser, more = {}) {
    const { lines } = start('user.mjs', { ...caller, PORT: USER_PORT, ...more });
    const callback = await browser.callback(await lines(/^Open (.+)$/m), `http://127.0.0.1:${USER_PORT}/callback`);
    await fetch(callback);
    return lines(/^(\d{3} .*)$/m);
  }

  test('accepts the token of a user who holds the permission, and refuses that of another user', async () => {
    const ann = await person();
    await ann.logIn();
    const { id } = await api(ann, 'GET', '/api/auth/me');
    assert.match(await answerTo(ann), /^403/);
    const add = [{ scope: 'billing', permission_id: 'invoice:read', level: 1 }];
    await api(await administrator(), 'PATCH', `/api/user/${id}/permissions`, { add });
    const answer = await answerTo(ann);
    assert.equal(JSON.parse(answer.slice(4)).sub, id);
  });
});

describe('the checks of the example', () => {
  let stub;
  let issuer;
  let url;
  let keys;
  let others;

  before(async () => {
    keys = await generateKeyPair('ES256');
    others = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
    stub = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }));
    });
    stub.listen(0, '127.0.0.1');
    await once(stub, 'listening');
    issuer = `http://127.0.0.1:${stub.address().port}`;
    url = await startApi(issuer);
  });

  after(() => stub.close());

  const now = () => Math.floor(Date.now() / 1_000);

  /** A valid access token, with these changes. */
  const tokenWith = ({ header = {}, key = keys.privateKey, ...claims } = {}) =>
    new SignJWT({
      iss: issuer,
      aud: AUDIENCE,
      sub: 'ann',
      client_id: 'caller',
      scope: 'openid billing:invoice:read',
      iat: now(),
      exp: now() + 60,
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'at+jwt', ...header })
      .sign(key);

  const refused = [
    ['of another audience', () => ({ aud: 'urn:castellan:crm' })],
    ['without audience', () => ({ aud: undefined })],
    ['of another issuer', () => ({ iss: 'https://id.example.com' })],
    ['that expired', () => ({ exp: now() - 1 })],
    ['that never expires', () => ({ exp: undefined })],
    ['that is an ID token', () => ({ header: { typ: 'JWT' } })],
    ['that another key signed', () => ({ key: others.privateKey })],
    ['with an unknown key', () => ({ header: { kid: 'two' } })],
    ['without client', () => ({ client_id: undefined })],
  ];

  test('accept a valid token', async () => {
    assert.equal((await ask(url, await tokenWith())).status, 200);
    assert.equal((await ask(url, await tokenWith({ aud: ['urn:castellan:crm', AUDIENCE] }))).status, 200);
  });

  for (const [name, change] of refused) {
    test(`refuse a token ${name}`, async () => {
      const response = await ask(url, await tokenWith(change()));
      assert.equal(response.status, 401);
      assert.equal(response.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
    });
  }

  test('refuse an unsigned token, a malformed one and none', async () => {
    const [, payload] = (await tokenWith()).split('.');
    const header = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    assert.equal((await ask(url, `${header}.${payload}.`)).status, 401);
    assert.equal((await ask(url, 'x')).status, 401);
    const anonymous = await ask(url);
    assert.deepEqual([anonymous.status, anonymous.headers.get('www-authenticate')], [401, 'Bearer']);
  });

  test('refuse a token without the scope of the route', async () => {
    for (const scope of [undefined, 'openid', 'billing:invoice:reader']) {
      assert.equal((await ask(url, await tokenWith({ scope }))).status, 403);
    }
    const response = await ask(url, await tokenWith(), 'POST');
    assert.equal(response.status, 403);
    assert.match(response.headers.get('www-authenticate'), /insufficient_scope.*billing:invoice:create/);
    assert.equal((await ask(url, await tokenWith({ scope: 'billing:invoice:create' }), 'POST')).status, 201);
  });

  test('answer 503 while the keys cannot be read', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const address = `http://127.0.0.1:${closed.address().port}`;
    closed.close();
    const alone = await startApi(address);
    assert.equal((await ask(alone, await tokenWith({ iss: address }))).status, 503);
  });
});

test('the guide shows the code of the example', () => {
  const guide = readFileSync(join(root, 'docs/guides/resource-server.md'), 'utf8');
  for (const file of ['server.mjs', 'machine.mjs', 'user.mjs']) {
    const blocks = [...readFileSync(join(folder, file), 'utf8').matchAll(/^\/\/ <(\w+)>\n([\s\S]*?)\n\/\/ <\/\1>$/gm)];
    assert.ok(blocks.length > 0, file);
    for (const [, name, block] of blocks) assert.ok(guide.includes(`\`\`\`js\n${block}\n\`\`\``), `${file}: ${name}`);
  }
});
