import { newRequestId } from '../crypto';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Visible ASCII, with spaces inside. Other characters are not safe in a header. */
const ECHOED = /^[!-~](?:[ -~]{0,254}[!-~])?$/;

/** Returns the caller's `X-Request-Id` if it is 1–64 of `[A-Za-z0-9._-]`, else a new UUID v7 (RFC 9562 §5.7). */
export function requestIdFrom(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : newRequestId();
}

/**
 * Returns the caller's `X-Request-Id` for the response of a protocol that requires the same value (AuthZEN §10.1.3):
 * 1–256 characters of ASCII. Undefined for any other. Logs and problems still carry that of `requestIdFrom`.
 */
export function echoedRequestId(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' && ECHOED.test(header) ? header : undefined;
}
