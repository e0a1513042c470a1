import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { attachContext, findContext, RequestContext, runInRequest } from '../context';
import { platformErrors } from '../errors';
import { Log } from '../logging';
import { ProblemResponder } from '../problems';
import { SettingsReader } from '../settings';
import { corsHeaders, preflightHeaders } from './cors';
import { csrfCheck } from './csrf';
import { allowedOrigins } from './http.settings';
import { isJson } from './media-type';
import { OwnPaths } from './own-paths';
import { RequestReader } from './request-reader';
import { securityHeaders } from './security-headers';

export const BODY_LIMIT_BYTES = 64 * 1024;
const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Binds to Fastify what no controller sees, for the service's own paths alone. */
@Injectable()
export class HttpInstaller {
  private installed = false;

  constructor(
    private readonly paths: OwnPaths,
    private readonly reader: RequestReader,
    private readonly settings: SettingsReader,
    private readonly responder: ProblemResponder,
    private readonly log: Log,
  ) {}

  /** @param everything whether unknown addresses of the whole server are the service's to answer. */
  install(fastify: FastifyInstance, { everything }: { everything: boolean }): void {
    this.paths.collect({ everything });
    fastify.addHook('onRoute', (route) => {
      this.adoptRoute(route);
    });
    fastify.addHook('onRequest', (request, reply) => this.onRequest(request, reply));
    fastify.addHook('preHandler', (request, reply, done) => {
      this.enter(request, reply, done);
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      this.report(request, reply);
      done();
    });
    this.installed = true;
  }

  get isInstalled(): boolean {
    return this.installed;
  }

  /** Errors that Fastify finds before any controller: unreadable JSON, a body too large. */
  private adoptRoute(route: RouteOptions): void {
    if (!this.paths.has(route.url)) return;
    route.bodyLimit ??= BODY_LIMIT_BYTES;
    route.errorHandler = (error, request, reply) => {
      void this.responder.send(error, request, reply);
    };
  }

  private async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    if (!this.paths.has(request.raw.url ?? '')) return undefined;
    const { context, hostIsOwn } = await this.reader.read(request);
    attachContext(request, context);
    void reply.headers({ ...securityHeaders(context.origin), 'x-request-id': context.requestId, vary: 'Origin' });
    try {
      if (!hostIsOwn) this.reader.refuseHost();
      await this.admit(request, reply);
      return;
    } catch (error) {
      return this.responder.send(error, request, reply);
    }
  }

  private async admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { origin } = request.headers;
    // Only a browser on another page names its origin; everybody else is spared the settings.
    const cors = origin === undefined ? {} : corsHeaders(origin, await this.settings.get(allowedOrigins));
    void reply.headers(cors);
    if (this.isPreflight(request) && 'access-control-allow-origin' in cors) {
      return reply.headers(preflightHeaders).code(204).send();
    }
    if (request.is404) throw platformErrors.notFound();
    if (UNSAFE.has(request.method)) this.checkMediaType(request);
    return undefined;
  }

  private isPreflight({ method, headers }: FastifyRequest): boolean {
    return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  }

  private checkMediaType(request: FastifyRequest): void {
    if (!hasBody(request)) {
      // Without a body its type means nothing, and Fastify would call an empty JSON text malformed.
      delete request.headers['content-type'];
      return;
    }
    if (!isJson(request.headers['content-type'])) throw platformErrors.unsupportedMediaType();
  }

  /** After the body was read: the CSRF check, and from here on the request is known to all it calls. */
  private enter(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const context = findContext(request);
    if (!context) {
      done();
      return;
    }
    this.checkCsrf(request, context).then(
      () => {
        runInRequest(context, done);
      },
      (error: unknown) => {
        void this.responder.send(error, request, reply);
      },
    );
  }

  private async checkCsrf(request: FastifyRequest, { origin }: RequestContext): Promise<void> {
    if (!UNSAFE.has(request.method)) return;
    const source = {
      method: request.method,
      origin: request.headers.origin,
      secFetchSite: headerText(request.headers['sec-fetch-site']),
    };
    const allowed = source.origin === undefined ? [] : await this.settings.get(allowedOrigins);
    const result = csrfCheck(source, { ownOrigin: origin.origin, allowedOrigins: allowed });
    if (result !== 'ok') throw platformErrors.csrfRejected({ params: { check: result.failed } });
  }

  private report(request: FastifyRequest, reply: FastifyReply): void {
    const context = findContext(request);
    if (!context) return;
    this.log.info('request', {
      request_id: context.requestId,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      ip: context.ip,
      ...(context.caller && { user_id: context.caller.userId, session_id: context.caller.sessionId }),
    });
  }
}
