/* A Nest application on Fastify, without decorators in its syntax, for the servers whose routes a guard protects. */
import { createRequire } from 'node:module';

/** Loads packages and builds of the project, as its own modules do. */
export const require = createRequire(new URL('../../package.json', import.meta.url));
require('reflect-metadata');
const { Get, Module } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { FastifyAdapter } = require('@nestjs/platform-fastify');

/** A controller under `/api/host` with a route for each name, which has the decorator. */
function controllerOf(apiController, routes) {
  class HostController {}
  for (const [name, decorator] of Object.entries(routes)) {
    const descriptor = { value: () => ({ status: 'ok' }), configurable: true, writable: true };
    Object.defineProperty(HostController.prototype, name, descriptor);
    for (const decorate of [Get(name), decorator]) decorate(HostController.prototype, name, descriptor);
  }
  apiController('host')(HostController);
  return HostController;
}

/** Creates the application. `listen` starts it. */
export async function createHost({ apiController, routes, imports, options = {} }) {
  class HostModule {}
  Module({ imports, controllers: [controllerOf(apiController, routes)] })(HostModule);
  return NestFactory.create(HostModule, new FastifyAdapter({ logger: false }), { logger: false, ...options });
}

export async function listen(app) {
  await app.listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
}
