import { DynamicModule, INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parse } from 'node:querystring';
import { IdentityModule } from './identity.module';
import { IdentityOptions } from './identity.options';
import { installHttp } from './install-http';
import { ReadinessService } from './platform/health';
import { answerClientError, BODY_LIMIT_BYTES, HttpHooksService } from './platform/http';
import { Log, NestLogBridge } from './platform/logging';
import { SecretReloadService } from './secret-reload.service';
import { UiModule } from './ui';

const SECOND_MS = 1_000;

/** How long a connection may take; Fastify's own defaults wait for ever. */
const serverOptions = {
  bodyLimit: BODY_LIMIT_BYTES,
  // Fastify's 100 are less than a permission of the longest name, with its colon escaped.
  routerOptions: { maxParamLength: 200 },
  requestTimeout: 30 * SECOND_MS,
  keepAliveTimeout: 72 * SECOND_MS,
  // Node looks for connections that took too long this often, and every 30 s unless told.
  http: { headersTimeout: 15 * SECOND_MS, connectionsCheckingInterval: 2 * SECOND_MS, maxHeaderSize: 16 * 1024 },
  // Requests that arrive on a kept connection while the server drains are still served.
  return503OnClosing: false,
  logger: false as const,
  clientErrorHandler: answerClientError,
};

/** JSON is the only body the API reads, and forms where a route says so; other parsers are a way around the CSRF rules. */
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

/** A connection that will be closed says so, or a client would send its next request into the end of it (RFC 9112 §9.6). */
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

/** What only the server of its own has: pages, whose addresses are the host's in a host. */
@Module({})
class StandaloneModule {
  static forRoot(options: IdentityOptions): DynamicModule {
    return { module: StandaloneModule, imports: [IdentityModule.forRoot(options), UiModule] };
  }
}

export interface StandaloneOptions extends IdentityOptions {
  readonly log: Log;
  /** Whether closing waits for no request. Default false. */
  readonly cutConnections?: boolean;
}

/** Whether requests are served, and when they will be: not while migrations wait for somebody else. */
export const readinessOf = (app: NestFastifyApplication): ReadinessService => app.get(ReadinessService);

/** Reads the files of secrets again. */
export const reloadSecrets = (app: NestFastifyApplication): Promise<void> => app.get(SecretReloadService).run();

/** The service without a server, as the command line works with it: nothing is served, and the data stays as it is. */
export function createContext({
  log,
  ...options
}: IdentityOptions & { readonly log: Log }): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(StandaloneModule.forRoot({ log, ...options }), {
    logger: new NestLogBridge(log),
    abortOnError: false,
  });
}

/** The service as a server of its own, ready to listen. */
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
    // The error itself reaches main.ts, which says it in one line.
    abortOnError: false,
  });
  readJsonAndForms(adapter.getInstance());
  sayWhenClosing(adapter.getInstance());
  installHttp(app, { everything: true });
  return app;
}
