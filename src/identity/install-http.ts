import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { OpenApiDocumentFactory } from '../operations/info';
import { HostWidePartsService, HttpHooksService } from '../platform/http';

export interface InstallHttpOptions {
  /** Whether the service responds to every unknown path of the server, not only below its own paths. Default false. */
  readonly everything?: boolean;
}

function installerOf(app: INestApplication): HttpHooksService {
  try {
    return app.get(HttpHooksService);
  } catch (error) {
    throw new Error('Import IdentityModule.forRoot() before installHttp(app)', { cause: error });
  }
}

/**
 * Installs Fastify hooks for the service's paths, for work that no controller can do: CSRF and CORS, headers, request
 * ids, and responses to unknown routes, wrong methods and unreadable bodies. Call after `NestFactory.create` and before
 * `listen`.
 */
export function installHttp(app: INestApplication, { everything = false }: InstallHttpOptions = {}): void {
  const adapter = app.getHttpAdapter();
  if (adapter.getType() !== 'fastify') {
    throw new Error('Castellan runs on Fastify: create the application with FastifyAdapter');
  }
  const installer = installerOf(app);
  app.get(OpenApiDocumentFactory).attach(app);
  app.get(HostWidePartsService).attach(app);
  installer.install(adapter.getInstance() as FastifyInstance, { everything });
}
