import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BrowserSession } from '../../../session';

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly login: BrowserSession | undefined;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

/** Remembers what the library, which knows the bare request alone, is to find again. */
export function attachExchange(exchange: Exchange): void {
  exchanges.set(exchange.request.raw, exchange);
}

function exchangeOf(raw: IncomingMessage): Exchange {
  const exchange = exchanges.get(raw);
  if (!exchange) throw new Error('A request reached the protocol past its gateway');
  return exchange;
}

export const requestOf = (raw: IncomingMessage): FastifyRequest => exchangeOf(raw).request;
export const replyOf = (raw: IncomingMessage): FastifyReply => exchangeOf(raw).reply;

/** The user who is logged in to the service in the requesting browser. */
export const loginOf = (raw: IncomingMessage): BrowserSession | undefined => exchangeOf(raw).login;

/** The library's name of the route that a request took, if it took one. */
export const routeOf = (ctx: object): string | undefined =>
  (ctx as { _matchedRouteName?: string | undefined })._matchedRouteName;
