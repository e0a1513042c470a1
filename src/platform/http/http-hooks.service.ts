import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { isAuthzenRoute, isHealthRoute } from './route-marks';
import { attachContext, contextOf, findContext, runInRequest } from '../context';
import { platformErrors } from '../errors';
import { Log } from '../logging';
import { andThen, MaybePromise, recoverFrom } from '../util';
import { MetricsService } from '../metrics';
import { ProblemResponderService } from './problems';
import { actsOnGet } from './reject-head';
import { bodyLimitOf } from './body-limit';
import { EVENT_STREAM } from './event-stream';
import { RouteRegistry } from './route.registry';
import { RequestChecksService } from './request-checks.service';
import { echoedRequestId } from './request-id';
import { ReadRequest, RequestContextFactory } from './request-context.factory';
import { addUnreadParser } from './skip-body-parsing';

const RETRY_AFTER_SECONDS = 2;
/** Status of requests that the client aborted before a response, as nginx logs them. */
const CLIENT_LEFT = 499;
const NOT_FASTIFY = 'Castellan runs on Fastify: create the application with FastifyAdapter';

type Done = (error?: Error) => void;

interface Answer {
  readonly status: number;
  readonly milliseconds: number;
  readonly isStream: boolean;
}

const isEventStream = (reply: FastifyReply): boolean => reply.getHeader('content-type') === EVENT_STREAM;

/** Removes CORS headers of a host's policy, which Nest sets on both objects: ours may differ. */
function removeCors(reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) {
    if (!name.startsWith('access-control-')) continue;
    void reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
}

/** The request id to send back where a protocol requires exactly the caller's. */
function echoOf({ routeOptions, raw }: FastifyRequest): string | undefined {
  return isAuthzenRoute(routeOptions.config) ? echoedRequestId(raw.headers['x-request-id']) : undefined;
}

/** Installs our Fastify hooks for everything outside of controllers, on our own routes only. */
@Injectable()
export class HttpHooksService {
  private installed = false;
  private isOpen = false;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly paths: RouteRegistry,
    private readonly reader: RequestContextFactory,
    private readonly admission: RequestChecksService,
    private readonly responder: ProblemResponderService,
    private readonly metrics: MetricsService,
    private readonly log: Log,
  ) {
    const adapter = this.adapter();
    if (adapter && adapter.getType() !== 'fastify') throw new Error(NOT_FASTIFY);
  }

  /** False in an application context, such as that of the command line. */
  get hasServer(): boolean {
    return this.adapter() !== null;
  }

  /** @param everything whether the service handles all unknown URLs of the server. */
  install(fastify: FastifyInstance, { everything }: { everything: boolean }): void {
    if (this.installed) throw new Error('installHttp(app) is called twice: call it once');
    if (everything) this.paths.claimEverything();
    addUnreadParser(fastify);
    fastify.addHook('onRoute', (route) => {
      this.adoptRoute(route);
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      this.onRequest(request, reply, done);
    });
    fastify.addHook('preHandler', (request, reply, done) => {
      this.beforeHandler(request, reply, done);
    });
    this.installed = true;
  }

  /** Call it when the data is prepared. Until then, only health and metrics respond; all else is `unavailable`. */
  open(): void {
    this.isOpen = true;
  }

  get isInstalled(): boolean {
    return this.installed;
  }

  private adapter(): HttpAdapterHost['httpAdapter'] | null {
    return this.host.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
  }

  /** Fastify's `frameworkErrors`: responds to a URL that the router cannot parse. */
  async answerUnroutable(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.reportOnClose(request, reply);
    await this.begin(request, reply);
    this.responder.send(error, request, reply);
  }

  /** Handles errors that Fastify detects before a controller, such as malformed JSON or a body that is too large. */
  private adoptRoute(route: RouteOptions): void {
    if (!this.paths.adopt(route)) return;
    this.admission.adopt(route);
    route.bodyLimit ??= bodyLimitOf(route.config);
    route.errorHandler = (error, request, reply) => {
      void this.responder.send(error, request, reply);
    };
  }

  private onRequest(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    if (!this.paths.owns(request)) {
      done();
      return;
    }
    this.reportOnClose(request, reply);
    const admitted = recoverFrom(
      () => andThen(this.begin(request, reply), (read) => this.admit(request, reply, read)),
      (error) => {
        done(error as Error);
        return false;
      },
    );
    void andThen(admitted, (isAdmitted) => {
      if (isAdmitted) done();
    });
  }

  private admit(request: FastifyRequest, reply: FastifyReply, read: ReadRequest): MaybePromise<boolean> {
    return this.passes(request, reply, () => {
      this.assertReady(request, read);
      return andThen(this.answersPreflight(request, reply), (isAnswered) => {
        if (!isAnswered) this.assertSupported(request);
        return !isAnswered;
      });
    });
  }

  /** Returns the result of a check, and sends its error as the response. */
  private passes(
    request: FastifyRequest,
    reply: FastifyReply,
    check: () => MaybePromise<boolean>,
  ): MaybePromise<boolean> {
    return recoverFrom(check, (error) => {
      void this.responder.send(error, request, reply);
      return false;
    });
  }

  private assertReady(request: FastifyRequest, { hostIsOwn }: ReadRequest): void {
    if (!hostIsOwn) this.reader.rejectHost();
    this.assertOpen(request);
  }

  private assertSupported(request: FastifyRequest): void {
    const isRejectedHead = request.method === 'HEAD' && actsOnGet(request.routeOptions.config);
    if (request.is404 || isRejectedHead) throw platformErrors.notFound();
    this.admission.checkMediaType(request);
  }

  private assertOpen({ routeOptions }: FastifyRequest): void {
    if (this.isOpen || isHealthRoute(routeOptions.config)) return;
    throw platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  private begin(request: FastifyRequest, reply: FastifyReply): MaybePromise<ReadRequest> {
    return andThen(this.reader.read(request), (read) => {
      this.receive(request, reply, read);
      return read;
    });
  }

  private receive(request: FastifyRequest, reply: FastifyReply, { context }: ReadRequest): void {
    attachContext(request, context);
    removeCors(reply);
    void reply
      .headers(this.reader.securityHeaders(context.origin))
      .header('x-request-id', echoOf(request) ?? context.requestId)
      .header('vary', 'Origin');
  }

  /** Completes a preflight, for which headers are enough. */
  private answersPreflight(request: FastifyRequest, reply: FastifyReply): MaybePromise<boolean> {
    return andThen(this.admission.corsHeaders(request), (cors) => {
      void reply.headers(cors);
      if (!this.admission.isPreflight(request) || !('access-control-allow-origin' in cors)) return false;
      void reply.headers(this.admission.preflightHeaders(request)).code(204).send();
      return true;
    });
  }

  /** Runs after the body was parsed: checks CSRF and starts the request context. */
  private beforeHandler(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    if (!this.paths.owns(request)) {
      done();
      return;
    }
    const passed = this.passes(request, reply, () =>
      andThen(this.foreignOrigins(request, reply), (foreign) => {
        if (request.is404) throw platformErrors.notFound();
        this.admission.checkCsrf(request, contextOf(request), foreign);
        return true;
      }),
    );
    void andThen(passed, (hasPassed) => {
      if (hasPassed) runInRequest(contextOf(request), done);
    });
  }

  private foreignOrigins(request: FastifyRequest, reply: FastifyReply): MaybePromise<readonly string[]> {
    // Nest itself reports some URLs as not found, before our first hook or after all hooks.
    if (request.is404 && !findContext(request)) {
      this.reportOnClose(request, reply);
      return andThen(this.begin(request, reply), () => []);
    }
    return this.admission.foreignOrigins(request);
  }

  /**
   * Uses `close`: Fastify hooks miss aborted responses, which are often the slowest, and one hook per response costs
   * more than this.
   */
  private reportOnClose(request: FastifyRequest, reply: FastifyReply): void {
    const from = performance.now();
    const { raw } = reply;
    raw.on('close', () => {
      const status = raw.headersSent ? reply.statusCode : CLIENT_LEFT;
      this.report(request, { status, milliseconds: performance.now() - from, isStream: isEventStream(reply) });
    });
  }

  private report(request: FastifyRequest, { status, milliseconds, isStream }: Answer): void {
    const context = findContext(request);
    if (!context) return;
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    // A stream lasts as long as its reader wants, so its duration is no response time.
    if (!isStream) this.metrics.countRequest({ method, route, status, seconds: milliseconds / 1_000 });
    this.log.info('request', {
      request_id: context.requestId,
      method,
      route,
      status,
      duration_ms: Math.round(milliseconds * 10) / 10,
      ip: context.ip,
      ...(context.caller && { user_id: context.caller.userId, session_id: context.caller.sessionId }),
      ...(context.client && { client_id: context.client.clientId }),
    });
  }
}
