/* A host application that embeds the service, with three routes: public, login required, permission required. */
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../package.json', import.meta.url));
require('reflect-metadata');
const { Get, Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { FastifyAdapter } = require('@nestjs/platform-fastify');
const castellan = require('./dist/index.js');

class HostController {
  open() {
    return { status: 'ok' };
  }
  login() {
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
const { read } = castellan.definePermissions({ read: 'profile:read' });
decorate('open', Get('open'), castellan.Public());
decorate('login', Get('login'), castellan.Authenticated());
decorate('permission', Get('permission'), castellan.RequirePermission(read));
castellan.ApiController('host')(HostController);
class HostModule {}
Module({ imports: [castellan.IdentityModule.forRoot({})], controllers: [HostController] })(HostModule);

const app = await NestFactory.create(HostModule, new FastifyAdapter({ logger: false }), {
  logger: false,
  bodyParser: true,
});
castellan.installHttp(app);
await app.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
