import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BrowserSession } from '../../../session';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly login: BrowserSession | undefined;
}

/** A user, and the login that the tokens come from. */
export interface LoggedInUser {
  readonly userId: string;
  /** Absent in a preview, which is about no login. `method` is undefined if it is not known, which no limit accepts. */
  readonly login?: { readonly method: string | undefined };
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

/** Attaches the context of a request, because the library only knows the raw request. */
export function attachExchange(exchange: Exchange): void {
  exchanges.set(exchange.request.raw, exchange);
}

function exchangeOf(raw: IncomingMessage): Exchange {
  const exchange = exchanges.get(raw);
  if (!exchange) throw new Error('The request has no context: it did not pass OidcRequestHandler');
  return exchange;
}

export const requestOf = (raw: IncomingMessage): FastifyRequest => exchangeOf(raw).request;
export const replyOf = (raw: IncomingMessage): FastifyReply => exchangeOf(raw).reply;

/** The login of the requesting browser. */
export const loginOf = (raw: IncomingMessage): BrowserSession | undefined => exchangeOf(raw).login;

/** The user with the login of the requesting browser. */
export const userOf = (raw: IncomingMessage, userId: string): LoggedInUser => ({
  userId,
  login: { method: loginOf(raw)?.loginMethod },
});

/** The library's name of the matched route, if any. */
export const routeOf = (ctx: object): string | undefined =>
  (ctx as { _matchedRouteName?: string | undefined })._matchedRouteName;
