import { ParsedUrlQueryInput, stringify } from 'node:querystring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { platformErrors } from '../../../platform/errors';
import { keepOpener } from '../../../platform/http';

/** Half of the limit for all headers of a request. Longer requests must be pushed (RFC 9126). */
const MAX_ADDRESS_LENGTH = 8_192;

/**
 * Redirects a form POST to the same URL by GET. A form POST from another site sends no `SameSite=Lax` cookies, so the
 * logged-in user would be unknown. A forged form can do nothing that a link could not.
 * Errors: `payload_too_large`.
 */
export async function redirectToGet(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const address = `${request.routeOptions.url ?? ''}?${stringify((request.body ?? {}) as ParsedUrlQueryInput)}`;
  if (address.length > MAX_ADDRESS_LENGTH) throw platformErrors.payloadTooLarge();
  keepOpener(reply);
  await reply.redirect(address, 303);
}
