// From `nest new` to a guarded route by the lines of the README, and to tests, resolvers and gateways by those of the guides.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually, PASSWORD } from './service.mjs';
import { blocksOf, Desk, freePort, obstacle, TEN_MINUTES } from './documented.mjs';

const USER = { username: 'ann', password: PASSWORD };
const ADMIN = { username: 'admin', password: PASSWORD };

/** The guide of Nest hosts names what it consists of. */
const MAX_ADDED_MB = 145;

/** A test as `nest new` has them: for Jest, compiled by ts-jest. */
const SHOP_SPEC = `import { Get } from '@nestjs/common';
import { Authenticated, ServiceController } from 'castellan';
import { TestIdentity } from 'castellan/testing';

@ServiceController('shop')
class ShopController {
  @Get('basket')
  @Authenticated()
  basket(): object {
    return { empty: true };
  }
}

it('opens the basket to users', async () => {
  const identity = await TestIdentity.start({ controllers: [ShopController] });
  expect((await identity.client().get('/shop/basket')).status).toBe(401);
  expect((await (await identity.signUp('ann')).get('/shop/basket')).body).toEqual({ empty: true });
  await identity.stop();
}, 60_000);
`;

const guide = (name) => readFileSync(resolve(import.meta.dirname, '../../docs/guides', name), 'utf8');

/** The block `jest` of a package.json, as the guide has it. */
function jestBlock() {
  const [, block] = /^```json\n("jest": .+)\n```$/m.exec(guide('test-a-host.md')) ?? [];
  return JSON.parse(`{${block}}`);
}

const PARCELS = ['parcels.resolver.ts', 'parcels.gateway.ts'];
const parcelsCode = (file) =>
  guide('guard-graphql-websockets.md')
    .split('```ts\n')
    .find((block) => block.startsWith(`// ${file}\n`))
    ?.split('\n```')[0];

/** Nest's packages for both, whose imitation other tests use. */
const PACKAGES = [
  '@nestjs/graphql@13 @nestjs/mercurius@13 mercurius@16 graphql@16',
  '@nestjs/websockets@11 @nestjs/platform-socket.io@11 socket.io-client@4',
].join(' ');

const parcelsMain = (port) => `import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { IdentityModule, installHttp } from 'castellan';
import { ParcelsGateway } from './parcels.gateway';
import { ParcelsResolver } from './parcels.resolver';

@Module({
  imports: [
    IdentityModule.forRoot(),
    GraphQLModule.forRoot<MercuriusDriverConfig>({
      driver: MercuriusDriver,
      autoSchemaFile: true,
      context: (request: unknown) => ({ req: request }),
    }),
  ],
  providers: [ParcelsGateway, ParcelsResolver],
})
class AppModule {}

async function start(): Promise<void> {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter());
  installHttp(app);
  app.enableShutdownHooks();
  await app.listen(${port});
}
void start();
`;

/** What a gateway answers a message: by the callback of the message, or by the event for errors. */
function askGateway(url, cookie, event, message) {
  const { io } = createRequire(join(desk.place, 'package.json'))('socket.io-client');
  const socket = io(url, { transports: ['websocket'], extraHeaders: { cookie, origin: url } });
  return new Promise((answered, failed) => {
    socket.once('exception', answered);
    socket.once('connect_error', failed);
    socket.emit(event, message, answered);
  }).finally(() => socket.close());
}

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
  const [create, main, start, ask] = blocksOf('README.md', 'A module in your NestJS application');
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

  const manifest = JSON.parse(readFileSync(join(desk.place, 'package.json'), 'utf8'));
  desk.write('package.json', JSON.stringify({ ...manifest, ...jestBlock() }));
  desk.write('src/shop.spec.ts', SHOP_SPEC);
  desk.run('npm test');
});

test('the guide guards a resolver and a gateway of Nest', { skip, timeout: TEN_MINUTES }, async () => {
  await desk.stop();
  desk.run(`npm install ${PACKAGES}`);
  const port = await freePort();
  for (const file of PARCELS) desk.write(`src/${file}`, parcelsCode(file));
  desk.write('src/main.ts', parcelsMain(port));
  const begun = /(Nest application successfully started)/;
  await desk.start('npm run start', begun, { ADMIN_PASSWORD: PASSWORD, DATABASE_URL: undefined });
  const url = `http://127.0.0.1:${port}`;
  const listens = () => call(url, '/api/info').then(({ status }) => status, String);
  assert.equal(await eventually(listens, (status) => typeof status === 'number'), 200);

  // The user of the test before, in the same database.
  const user = await logIn(url, USER);
  const parcels = async (cookie) => {
    const body = { query: '{ parcels { to } }' };
    return (await call(url, '/graphql', { cookie, method: 'POST', body })).json();
  };
  assert.equal((await parcels('')).errors[0].extensions.status, 401);
  assert.equal((await parcels(user)).errors[0].extensions.code, 'permission_denied');
  const { id } = await (await call(url, '/api/auth/me', { cookie: user })).json();
  const body = { add: [{ permission_id: 'shop:parcel:read' }] };
  const admin = await logIn(url, ADMIN);
  assert.equal((await call(url, `/api/user/${id}/permissions`, { cookie: admin, method: 'PATCH', body })).status, 200);
  assert.deepEqual((await parcels(user)).data, { parcels: [{ to: USER.username }] });

  assert.deepEqual(await askGateway(url, user, 'parcel.stop', 'p-1'), { stopped: 'p-1', by: USER.username });
  assert.equal((await askGateway(url, '', 'parcel.stop', 'p-1')).code, 'unauthenticated');
});
