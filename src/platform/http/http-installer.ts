import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { isOperationRoute } from '../access';
import { attachContext, contextOf, findContext, RequestContext, runInRequest } from '../context';
import { platformErrors } from '../errors';
import { Log } from '../logging';
import { Metrics } from '../metrics';
import { ProblemResponder } from '../problems';
import { bodyLimitOf } from './body-limit';
import { OwnPaths } from './own-paths';
import { RequestAdmission } from './request-admission';
import { RequestReader } from './request-reader';
import { securityHeaders } from './security-headers';
import { addUnreadParser } from './unread-body';

const RETRY_AFTER_SECONDS = 2;
/** Only a browser on another page names its origin; everybody else is spared the wait. */
const NO_CORS: Readonly<Record<string, string>> = {};
const NOT_FASTIFY = 'Castellan runs on Fastify: create the application with FastifyAdapter';

/** Whom a host lets read its own answers is not who may read ours; Nest has put such headers in both places by now. */
function removeCors(reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) {
    if (!name.startsWith('access-control-')) continue;
    void reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
}

/** Binds to Fastify what no controller sees, for the service's own routes and addresses alone. */
@Injectable()
export class HttpInstaller {
  private installed = false;
  private isOpen = false;

  constructor(
    host: HttpAdapterHost,
    private readonly paths: OwnPaths,
    private readonly reader: RequestReader,
    private readonly admission: RequestAdmission,
    private readonly responder: ProblemResponder,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {
    // The command line has no adapter at all.
    const adapter = host.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined;
    if (adapter && adapter.getType() !== 'fastify') throw new Error(NOT_FASTIFY);
  }

  /** @param everything whether unknown addresses of the whole server are the service's to answer. */
  install(fastify: FastifyInstance, { everything }: { everything: boolean }): void {
    if (everything) this.paths.claimEverything();
    addUnreadParser(fastify);
    fastify.addHook('onRoute', (route) => {
      this.adoptRoute(route);
    });
    fastify.addHook('onRequest', (request, reply) => this.onRequest(request, reply));
    fastify.addHook('preHandler', (request, reply, done) => {
      this.beforeHandler(request, reply, done);
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      this.report(request, reply);
      done();
    });
    this.installed = true;
  }

  /** The data is in shape; until then only health and metrics are answered, all else is `unavailable`. */
  open(): void {
    this.isOpen = true;
  }

  get isInstalled(): boolean {
    return this.installed;
  }

  /** For Fastify's `frameworkErrors`: the answer to an address that its router cannot read. */
  async answerUnroutable(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.begin(request, reply);
    this.responder.send(error, request, reply);
    this.report(request, reply);
  }

  /** Errors that Fastify finds before any controller: unreadable JSON, a body too large. */
  private adoptRoute(route: RouteOptions): void {
    if (!this.paths.adopt(route)) return;
    this.admission.adopt(route);
    route.bodyLimit ??= bodyLimitOf(route.config);
    route.errorHandler = (error, request, reply) => {
      void this.responder.send(error, request, reply);
    };
  }

  private async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    if (!this.paths.owns(request)) return undefined;
    const hostIsOwn = await this.begin(request, reply);
    let isAnswered = true;
    try {
      if (!hostIsOwn) this.reader.refuseHost();
      this.refuseUntilOpen(request);
      isAnswered = await this.answersPreflight(request, reply);
    } catch (error) {
      this.responder.send(error, request, reply);
    }
    return isAnswered ? reply : undefined;
  }

  private refuseUntilOpen({ routeOptions }: FastifyRequest): void {
    if (this.isOpen || isOperationRoute(routeOptions.config)) return;
    throw platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** Answers whether the address the request came to is the service's own. */
  private async begin(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { context, hostIsOwn } = await this.reader.read(request);
    attachContext(request, context);
    removeCors(reply);
    void reply.headers({
      ...securityHeaders(context.origin),
      'x-request-id': context.requestId,
      vary: 'Origin',
    });
    return hostIsOwn;
  }

  /** A preflight needs no more than headers; what may not go on throws. */
  private async answersPreflight(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const cors = request.headers.origin === undefined ? NO_CORS : await this.admission.corsHeaders(request);
    void reply.headers(cors);
    if (this.admission.isPreflight(request) && 'access-control-allow-origin' in cors) {
      void reply.headers(this.admission.preflightHeaders(request)).code(204).send();
      return true;
    }
    if (request.is404) throw platformErrors.notFound();
    this.admission.checkMediaType(request);
    return false;
  }

  private beforeHandler(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    if (!this.paths.owns(request)) {
      done();
      return;
    }
    this.enter(request, reply).then(
      (context) => {
        runInRequest(context, done);
      },
      (error: unknown) => {
        void this.responder.send(error, request, reply);
      },
    );
  }

  /** After the body was read: the CSRF check, and from here on the request is known to all it calls. */
  private async enter(request: FastifyRequest, reply: FastifyReply): Promise<RequestContext> {
    // Nest itself calls some addresses unknown, before our first hook or after all of them.
    if (request.is404) {
      if (!findContext(request)) await this.begin(request, reply);
      throw platformErrors.notFound();
    }
    const context = contextOf(request);
    await this.admission.checkCsrf(request, context);
    return context;
  }

  private report(request: FastifyRequest, reply: FastifyReply): void {
    const context = findContext(request);
    if (!context) return;
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    this.metrics.countRequest({ method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1_000 });
    this.log.info('request', {
      request_id: context.requestId,
      method,
      route,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      ip: context.ip,
      ...(context.caller && { user_id: context.caller.userId, session_id: context.caller.sessionId }),
      ...(context.machine && { client_id: context.machine.clientId }),
    });
  }
}
