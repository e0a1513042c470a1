import { DynamicModule, INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parse } from 'node:querystring';
import { IdentityModule, IdentityOptions, installHttp } from '../identity';
import { ReadinessService } from '../operations/health';
import { answerClientError, BODY_LIMIT_BYTES, HttpHooksService } from '../platform/http';
import { Log, NestLogBridge } from '../platform/logging';
import { SecretReloadService } from './secret-reload.service';
import { UiModule } from './ui';

const SECOND_MS = 1_000;

/** Time limits for connections, because Fastify's defaults have none. */
const serverOptions = {
  bodyLimit: BODY_LIMIT_BYTES,
  // Fastify's default of 100 is less than the longest permission with an escaped colon.
  routerOptions: { maxParamLength: 200 },
  requestTimeout: 30 * SECOND_MS,
  keepAliveTimeout: 72 * SECOND_MS,
  // How often Node.js checks for connections that take too long. The default is 30 s.
  http: { headersTimeout: 15 * SECOND_MS, connectionsCheckingInterval: 2 * SECOND_MS, maxHeaderSize: 16 * 1024 },
  // Still serves requests on kept connections while the server drains.
  return503OnClosing: false,
  logger: false as const,
  clientErrorHandler: answerClientError,
};

/** The API reads only JSON bodies, and forms where a route declares them. Other parsers would bypass the CSRF rules. */
function readJsonAndForms(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    fastify.getDefaultJsonParser('error', 'error'),
  );
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) => {
    done(null, parse(text.toString()));
  });
}

/** Announces that a connection will close, so that clients do not send another request on it (RFC 9112 §9.6). */
function sayWhenClosing(fastify: FastifyInstance): void {
  let closing = false;
  fastify.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done();
  });
}

/**
 * What only the standalone server has: pages, whose paths in an embedding application belong to the host, and secret
 * files that are read again.
 */
@Module({})
class StandaloneModule {
  static forRoot(options: IdentityOptions): DynamicModule {
    return {
      module: StandaloneModule,
      imports: [IdentityModule.forRoot(options), UiModule],
      providers: [SecretReloadService],
    };
  }
}

export interface StandaloneOptions extends IdentityOptions {
  readonly log: Log;
  /** Whether closing does not wait for requests. Default false. */
  readonly cutConnections?: boolean;
}

/**
 * Whether requests are served, and when they will be. Not ready while migrations are pending that an operator must run.
 */
export const readinessOf = (app: NestFastifyApplication): ReadinessService => app.get(ReadinessService);

/** Rereads the secret files. */
export const reloadSecrets = (app: NestFastifyApplication): Promise<void> => app.get(SecretReloadService).run();

/** The service without a server, for the command line. Serves nothing and does not change the data. */
export function createContext({
  log,
  ...options
}: IdentityOptions & { readonly log: Log }): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(StandaloneModule.forRoot({ log, ...options }), {
    logger: new NestLogBridge(log),
    abortOnError: false,
  });
}

/** The standalone server, ready to listen. */
export async function createStandalone({
  cutConnections = false,
  ...options
}: StandaloneOptions): Promise<NestFastifyApplication> {
  const frameworkErrors = (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    void app.get(HttpHooksService).answerUnroutable(error, request, reply);
  };
  const adapter = new FastifyAdapter({
    ...serverOptions,
    ...(cutConnections && { forceCloseConnections: true }),
    frameworkErrors,
  });
  const app = await NestFactory.create<NestFastifyApplication>(StandaloneModule.forRoot(options), adapter, {
    bodyParser: false,
    logger: new NestLogBridge(options.log),
    // serve.ts prints the error in one line.
    abortOnError: false,
  });
  readJsonAndForms(adapter.getInstance());
  sayWhenClosing(adapter.getInstance());
  installHttp(app, { everything: true });
  return app;
}
