import { isSameOrigin } from './csrf';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const HEADERS = 'content-type, x-organization-id, x-request-id';
const EXPOSED = 'x-request-id, retry-after';
const PREFLIGHT_SECONDS = '600';

/** Returns the CORS headers, with credentials, for a listed origin; none for any other origin. */
export function corsHeaders(origin: string | undefined, allowed: readonly string[]): Readonly<Record<string, string>> {
  if (origin === undefined || !allowed.some((entry) => isSameOrigin(entry, origin))) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
  };
}

const CLIENT_METHODS = 'GET, POST';
const CLIENT_HEADERS = 'authorization, content-type, dpop, x-request-id';
const CLIENT_EXPOSED = 'www-authenticate, dpop-nonce, x-request-id, retry-after';

/** CORS headers for a page of a registered client: it may read the response, without credentials. */
export function clientCorsHeaders(origin: string): Readonly<Record<string, string>> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': CLIENT_EXPOSED };
}

export const clientPreflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': CLIENT_METHODS,
  'access-control-allow-headers': CLIENT_HEADERS,
  'access-control-max-age': PREFLIGHT_SECONDS,
};

export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': HEADERS,
  'access-control-max-age': PREFLIGHT_SECONDS,
};
