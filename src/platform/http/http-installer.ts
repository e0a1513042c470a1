import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { isOperationRoute } from '../access';
import { attachContext, contextOf, findContext, runInRequest } from '../context';
import { platformErrors } from '../errors';
import { Log } from '../logging';
import { Metrics } from '../metrics';
import { ProblemResponder } from '../problems';
import { actsOnGet } from './acting-get';
import { AnswersAtOnce } from './at-once';
import { bodyLimitOf } from './body-limit';
import { OwnPaths } from './own-paths';
import { RequestAdmission } from './request-admission';
import { ReadRequest, RequestReader } from './request-reader';
import { securityHeaders } from './security-headers';
import { addUnreadParser } from './unread-body';

const RETRY_AFTER_SECONDS = 2;
/** As proxies log it: the client had gone before there was an answer. */
const CLIENT_LEFT = 499;
const NOT_FASTIFY = 'Castellan runs on Fastify: create the application with FastifyAdapter';

type Done = (error?: Error) => void;

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
    private readonly atOnce: AnswersAtOnce,
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
    fastify.addHook('onRequest', (request, reply, done) => {
      this.onRequest(request, reply, done);
    });
    fastify.addHook('preHandler', (request, reply, done) => {
      this.beforeHandler(request, reply, done);
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
    this.reportOnceOver(request, reply);
    await this.begin(request, reply);
    this.responder.send(error, request, reply);
  }

  /** Errors that Fastify finds before any controller: unreadable JSON, a body too large. */
  private adoptRoute(route: RouteOptions): void {
    if (!this.paths.adopt(route)) return;
    this.admission.adopt(route);
    this.atOnce.adopt(route);
    route.bodyLimit ??= bodyLimitOf(route.config);
    route.errorHandler = (error, request, reply) => {
      void this.responder.send(error, request, reply);
    };
  }

  /** A wait is dear where every request has it: what is remembered, and has no origin to be looked up, goes on at once. */
  private onRequest(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    if (!this.paths.owns(request)) {
      done();
      return;
    }
    this.reportOnceOver(request, reply);
    const known = request.headers.origin === undefined ? this.reader.peek(request) : undefined;
    const goOn = (isAdmitted: boolean): void => {
      if (isAdmitted) done();
    };
    if (known) goOn(this.isAdmitted(request, reply, known));
    else this.isAdmittedAfterAll(request, reply).then(goOn, done);
  }

  private isAdmitted(request: FastifyRequest, reply: FastifyReply, read: ReadRequest): boolean {
    this.receive(request, reply, read);
    try {
      this.refuseUnready(request, read);
      this.refuseUnfit(request);
      return true;
    } catch (error) {
      this.responder.send(error, request, reply);
      return false;
    }
  }

  /** As `isAdmitted`, for a request whose language or origin has to be looked up. */
  private async isAdmittedAfterAll(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const read = await this.begin(request, reply);
    try {
      this.refuseUnready(request, read);
      if (await this.answersPreflight(request, reply)) return false;
      this.refuseUnfit(request);
      return true;
    } catch (error) {
      this.responder.send(error, request, reply);
      return false;
    }
  }

  private refuseUnready(request: FastifyRequest, { hostIsOwn }: ReadRequest): void {
    if (!hostIsOwn) this.reader.refuseHost();
    this.refuseUntilOpen(request);
  }

  private refuseUnfit(request: FastifyRequest): void {
    const isActing = request.method === 'HEAD' && actsOnGet(request.routeOptions.config);
    if (request.is404 || isActing) throw platformErrors.notFound();
    this.admission.checkMediaType(request);
  }

  private refuseUntilOpen({ routeOptions }: FastifyRequest): void {
    if (this.isOpen || isOperationRoute(routeOptions.config)) return;
    throw platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  private async begin(request: FastifyRequest, reply: FastifyReply): Promise<ReadRequest> {
    const read = await this.reader.read(request);
    this.receive(request, reply, read);
    return read;
  }

  private receive(request: FastifyRequest, reply: FastifyReply, { context }: ReadRequest): void {
    attachContext(request, context);
    removeCors(reply);
    void reply
      .headers(securityHeaders(context.origin))
      .header('x-request-id', context.requestId)
      .header('vary', 'Origin');
  }

  /** A preflight needs no more than headers. */
  private async answersPreflight(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const cors = await this.admission.corsHeaders(request);
    void reply.headers(cors);
    if (!this.admission.isPreflight(request) || !('access-control-allow-origin' in cors)) return false;
    void reply.headers(this.admission.preflightHeaders(request)).code(204).send();
    return true;
  }

  /** After the body was read: the CSRF check, and from here on the request is known to all it calls. */
  private beforeHandler(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    if (!this.paths.owns(request)) {
      done();
      return;
    }
    const enter = (foreign: readonly string[] = []): void => {
      this.enter(request, reply, foreign, done);
    };
    const due = this.dueBefore(request, reply);
    if (!due) enter();
    else {
      due.then(enter, (error: unknown) => {
        void this.responder.send(error, request, reply);
      });
    }
  }

  /** What has to be waited for before the handler may be reached. */
  private dueBefore(request: FastifyRequest, reply: FastifyReply): Promise<readonly string[] | undefined> | undefined {
    // Nest itself calls some addresses unknown, before our first hook or after all of them.
    if (request.is404 && !findContext(request)) {
      this.reportOnceOver(request, reply);
      return this.begin(request, reply).then(() => undefined);
    }
    return this.admission.foreignOrigins(request);
  }

  private enter(request: FastifyRequest, reply: FastifyReply, foreign: readonly string[], done: Done): void {
    try {
      if (request.is404) throw platformErrors.notFound();
      this.admission.checkCsrf(request, contextOf(request), foreign);
    } catch (error) {
      void this.responder.send(error, request, reply);
      return;
    }
    runInRequest(contextOf(request), done);
  }

  /**
   * By the one event that every answer ends with: of one that nobody waited for Fastify tells nothing, and those are often the
   * slowest; and a hook of its for the others costs each more than all that is told.
   */
  private reportOnceOver(request: FastifyRequest, reply: FastifyReply): void {
    const from = performance.now();
    const { raw } = reply;
    raw.on('close', () => {
      this.report(request, raw.headersSent ? reply.statusCode : CLIENT_LEFT, performance.now() - from);
    });
  }

  private report(request: FastifyRequest, status: number, milliseconds: number): void {
    const context = findContext(request);
    if (!context) return;
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    this.metrics.countRequest({ method, route, status, seconds: milliseconds / 1_000 });
    this.log.info('request', {
      request_id: context.requestId,
      method,
      route,
      status,
      duration_ms: Math.round(milliseconds * 10) / 10,
      ip: context.ip,
      ...(context.caller && { user_id: context.caller.userId, session_id: context.caller.sessionId }),
      ...(context.machine && { client_id: context.machine.clientId }),
    });
  }
}
