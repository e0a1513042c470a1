/* Another service with the guard of castellan/guard, with the routes of guarded.mjs. */
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../package.json', import.meta.url));
require('reflect-metadata');
const { Get, Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { FastifyAdapter } = require('@nestjs/platform-fastify');
const guard = require('./dist/guard/index.js');

class HostController {
  open() {
    return { status: 'ok' };
  }
  permission() {
    return { status: 'ok' };
  }
}

function decorate(method, ...decorators) {
  const descriptor = Object.getOwnPropertyDescriptor(HostController.prototype, method);
  for (const decorator of decorators) decorator(HostController.prototype, method, descriptor);
}
decorate('open', Get('open'), guard.Public());
decorate('permission', Get('permission'), guard.RequirePermission('profile:read'));
guard.ApiController('host')(HostController);
const { CASTELLAN_URL: url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
class HostModule {}
Module({
  imports: [guard.RemoteIdentityModule.forRoot({ url, clientId, clientSecret })],
  controllers: [HostController],
})(HostModule);

const app = await NestFactory.create(HostModule, new FastifyAdapter({ logger: false }), { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
