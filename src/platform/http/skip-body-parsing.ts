import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Internal media type that makes Fastify leave the body unread for the protocol library. */
const UNREAD = 'application/x-castellan-unread';
const given = new WeakMap<object, string | undefined>();

export function addUnreadParser(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(UNREAD, (_request, _payload, done) => {
    done(null);
  });
}

/** Call it before Fastify reads the body. */
export function skipBodyParsing({ raw: { headers } }: FastifyRequest): void {
  given.set(headers, headers['content-type']);
  headers['content-type'] = UNREAD;
}

/** Restores the original content type of the request. */
export function restoreType({ raw: { headers } }: FastifyRequest): void {
  if (!given.has(headers)) return;
  const type = given.get(headers);
  if (type === undefined) delete headers['content-type'];
  else headers['content-type'] = type;
}
