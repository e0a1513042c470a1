import { newRequestId } from '../crypto';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns the caller's `X-Request-Id` if it is 1–64 of `[A-Za-z0-9._-]`, else a new UUID v7 (RFC 9562 §5.7). */
export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : newRequestId();
}
