import { ParsedUrlQueryInput, stringify } from 'node:querystring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { platformErrors } from '../../../platform/errors';
import { keepOpener } from '../../../platform/http';

/** Half of what all headers of a request may hold; a longer request is to be pushed (RFC 9126). */
const LONGEST_ADDRESS = 8_192;

/**
 * Sends a browser that came with a form to the same address by GET. A form of another site brings no `SameSite=Lax` cookie,
 * so the one who is logged in would not be known; and what GET cannot do, a forged form cannot do either.
 * Errors: `payload_too_large`.
 */
export async function redirectToGet(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const address = `${request.routeOptions.url ?? ''}?${stringify((request.body ?? {}) as ParsedUrlQueryInput)}`;
  if (address.length > LONGEST_ADDRESS) throw platformErrors.payloadTooLarge();
  keepOpener(reply);
  await reply.redirect(address, 303);
}
