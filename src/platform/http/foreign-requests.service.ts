import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { attachContext, Caller, contextOf, findContext } from '../context';
import { andThen, MaybePromise } from '../util';
import { RequestChecksService } from './request-checks.service';
import { RequestContextFactory } from './request-context.factory';

const isHandshake = (request: object): request is IncomingMessage => !('raw' in request);

/** The handshake of a socket as a request. Its `Origin` is checked as that of a POST: messages may change state. */
const requestOfHandshake = (message: IncomingMessage): FastifyRequest =>
  ({
    raw: message,
    headers: message.headers,
    method: 'POST',
    query: {},
    routeOptions: { config: {}, url: message.url },
  }) as unknown as FastifyRequest;

/** Prepares requests of routes that our hooks do not see: plain controllers, GraphQL resolvers, sockets. */
@Injectable()
export class ForeignRequestsService {
  private readonly handshakes = new WeakMap<object, FastifyRequest>();
  private readonly admitted = new WeakSet();

  constructor(
    private readonly contexts: RequestContextFactory,
    private readonly checks: RequestChecksService,
  ) {}

  /** Attaches the context, and checks host and origin as for our own routes. Errors: `host_rejected`, `csrf_rejected`. */
  prepare(given: object): MaybePromise<FastifyRequest> {
    const request = isHandshake(given) ? this.ofHandshake(given) : (given as FastifyRequest);
    if (this.admitted.has(given)) return request;
    return andThen(this.contexts.read(request), ({ context, hostIsOwn }) => {
      const present = findContext(given) ?? context;
      for (const one of [given, request]) attachContext(one, present);
      if (!hostIsOwn) this.contexts.rejectHost();
      return andThen(this.checks.foreignOrigins(request), (foreign) => {
        this.checks.checkCsrf(request, present, foreign);
        this.admitted.add(given);
        return request;
      });
    });
  }

  /**
   * Notes the session of a socket, which outlives its access token. Its caller stays the same object while it says the
   * same, because messages are handled at the same time.
   */
  hold(given: object, before: Caller | undefined): void {
    if (!isHandshake(given)) return;
    const context = contextOf(given);
    const { caller } = context;
    if (!caller) return;
    context.heldSession = { userId: caller.userId, sessionId: caller.sessionId };
    if (isDeepStrictEqual(before, caller) && before) context.caller = before;
  }

  private ofHandshake(message: IncomingMessage): FastifyRequest {
    const known = this.handshakes.get(message) ?? requestOfHandshake(message);
    this.handshakes.set(message, known);
    return known;
  }
}
