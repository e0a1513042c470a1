import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Nobody sends it: Fastify is told this type so that it leaves the body to whoever speaks the route's protocol. */
const UNREAD = 'application/x-castellan-unread';
const given = new WeakMap<object, string | undefined>();

export function addUnreadParser(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(UNREAD, (_request, _payload, done) => {
    done(null);
  });
}

/** To be called before Fastify reads the body. */
export function skipBodyParsing({ raw: { headers } }: FastifyRequest): void {
  given.set(headers, headers['content-type']);
  headers['content-type'] = UNREAD;
}

/** Gives the request the type back that it came with. */
export function restoreType({ raw: { headers } }: FastifyRequest): void {
  if (!given.has(headers)) return;
  const type = given.get(headers);
  if (type === undefined) delete headers['content-type'];
  else headers['content-type'] = type;
}
