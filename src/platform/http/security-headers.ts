import type { FastifyReply } from 'fastify';

const HSTS = 'max-age=31536000';

/** Every response: no framing, no sniffing, no scripts, and no caching by default. */
const always: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

/**
 * Keeps the window's opener: an application may log in through a popup and wait for its message (HTML §7.1.3). Also
 * needed on redirects. Does not allow framing.
 */
export function keepOpener(reply: FastifyReply): void {
  void reply.header('cross-origin-opener-policy', 'unsafe-none');
}

/** Properties of the response that decide on HSTS. */
export interface AnswerWay {
  readonly secure: boolean;
  /** Undefined while unknown: the response then omits HSTS, because browsers store the last header they see. */
  readonly includesSubdomains: boolean | undefined;
}

const STRICT_TRANSPORT = {
  host: { ...always, 'strict-transport-security': HSTS },
  subdomains: { ...always, 'strict-transport-security': `${HSTS}; includeSubDomains` },
};

/** Default headers, which a route may override. */
export function securityHeaders({ secure, includesSubdomains }: AnswerWay): Readonly<Record<string, string>> {
  if (!secure || includesSubdomains === undefined) return always;
  return includesSubdomains ? STRICT_TRANSPORT.subdomains : STRICT_TRANSPORT.host;
}
