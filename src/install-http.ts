import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { OpenApiDocument } from './info';
import { HttpInstaller } from './platform/http';

export interface InstallHttpOptions {
  /** Whether the service answers every unknown address of the server, not only those below its own paths. Default false. */
  readonly everything?: boolean;
}

/**
 * Binds to the host's Fastify what no controller sees, for our paths alone: CSRF and CORS, headers, request ids, and the
 * answers to unknown routes, wrong verbs and unreadable bodies. To be called after `NestFactory.create`, before `listen`.
 */
export function installHttp(app: INestApplication, { everything = false }: InstallHttpOptions = {}): void {
  const adapter = app.getHttpAdapter();
  if (adapter.getType() !== 'fastify') {
    throw new Error('Castellan runs on Fastify: create the application with FastifyAdapter');
  }
  app.get(OpenApiDocument).attach(app);
  app.get(HttpInstaller).install(adapter.getInstance() as FastifyInstance, { everything });
}
