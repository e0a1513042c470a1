// From `nest new` to a guarded route, by the lines of the README.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually, PASSWORD } from './service.mjs';
import { blocksOf, Desk, freePort, obstacle, TEN_MINUTES } from './readme.mjs';

const USER = { username: 'ann', password: PASSWORD };
const ADMIN = { username: 'admin', password: PASSWORD };

/** The guide of Nest hosts names what it consists of. */
const MAX_ADDED_MB = 140;

const skip = obstacle('@nestjs/cli@11');
const desk = new Desk();

before(() => {
  if (!skip) desk.pack('.', 'dist/types/src/index.d.ts', 'build:types');
});
after(() => desk.clear());

async function call(url, path, { cookie = '', method = 'GET', body } = {}) {
  const headers = { ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) };
  return fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function logIn(url, { username, password }) {
  const body = { type: 'password', username, password };
  const answer = await call(url, '/api/auth/login', { method: 'POST', body });
  assert.equal(answer.status, 200);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

test('the README leads from `nest new` to a guarded route', { skip, timeout: TEN_MINUTES }, async () => {
  const [create, main, start, ask] = blocksOf('A module in your NestJS application');
  assert.deepEqual([create.language, main.file, start.text], ['sh', 'main.ts', 'npm run start\n']);
  const port = await freePort();
  const [application, packages, ...rest] = create.text.trim().split('\n');
  desk.run(application);
  // A host has it, and the embedded database is optional: neither counts.
  desk.run('npm install @nestjs/platform-fastify@11');
  const before = desk.sizeOf('node_modules');
  desk.run(packages);
  const added = desk.sizeOf('node_modules') - before - desk.sizeOf('node_modules/@electric-sql');
  console.log(`      ${added} MB more in node_modules`);
  assert.ok(added <= MAX_ADDED_MB, `${added} MB more in node_modules`);
  desk.run(rest.join('\n'));
  desk.write('src/main.ts', main.text.replace('listen(3000)', `listen(${port})`));
  const begun = /(Nest application successfully started)/;
  await desk.start(start.text, begun, { ADMIN_PASSWORD: PASSWORD, DATABASE_URL: undefined });
  const url = `http://127.0.0.1:${port}`;
  assert.ok(ask.text.includes('http://127.0.0.1:3000/shop/orders'));

  // Nest says so before it listens.
  const guarded = () => call(url, '/shop/orders').then(({ status }) => status, String);
  assert.equal(await eventually(guarded, (status) => typeof status === 'number'), 401);
  assert.equal((await call(url, '/api/auth/register', { method: 'POST', body: USER })).status, 201);
  const user = await logIn(url, USER);
  assert.deepEqual(await (await call(url, '/shop/basket', { cookie: user })).json(), { owner: USER.username });
  assert.equal((await call(url, '/shop/orders', { cookie: user })).status, 403);

  const { id } = await (await call(url, '/api/auth/me', { cookie: user })).json();
  const admin = await logIn(url, ADMIN);
  const body = { add: [{ permission_id: 'shop:order:read' }] };
  const path = `/api/user/${id}/permissions`;
  assert.equal((await call(url, path, { cookie: admin, method: 'PATCH', body })).status, 200);
  assert.equal((await call(url, '/shop/orders', { cookie: user })).status, 200);
});
