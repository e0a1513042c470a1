import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BrowserSession } from '../../../session';
import type { LoggedInUser } from '../claims/organization-admission.service';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly login: BrowserSession | undefined;
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
