import type { FastifyReply, FastifyRequest } from 'fastify';

const TRAILING = /(?<!\/)\/+$/;

/** The path of the request without slashes at its end. Undefined if it has none. */
export function pathWithoutSlash({ url }: FastifyRequest): string | undefined {
  const [path = ''] = url.split('?', 1);
  const plain = path.replace(TRAILING, '');
  return plain === path ? undefined : plain;
}

/** Redirects to the path, with the query of the request. The path must begin with that of a page, never with `//`. */
export function redirectTo(path: string, { url }: FastifyRequest, reply: FastifyReply): '' {
  const at = url.indexOf('?');
  void reply.code(308).header('location', at < 0 ? path : path + url.slice(at));
  return '';
}
