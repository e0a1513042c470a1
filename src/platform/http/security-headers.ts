import type { FastifyReply } from 'fastify';

const HSTS = 'max-age=31536000';

/** What every answer carries: it may not be framed, sniffed, cached by default, or run anything. */
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
 * Lets a window keep its opener: an application may do its login in a popup and wait for that window's message (HTML
 * §7.1.3). Redirects count like pages. What frames may do stays as it is.
 */
export function keepOpener(reply: FastifyReply): void {
  void reply.header('cross-origin-opener-policy', 'unsafe-none');
}

/** How an answer leaves. */
export interface AnswerWay {
  readonly secure: boolean;
  /** Undefined while it is not known: an answer then says nothing, since browsers take the last one for the rule. */
  readonly includesSubdomains: boolean | undefined;
}

const STRICT_TRANSPORT = {
  host: { ...always, 'strict-transport-security': HSTS },
  subdomains: { ...always, 'strict-transport-security': `${HSTS}; includeSubDomains` },
};

/** Defaults for an answer; a route that says otherwise wins. */
export function securityHeaders({ secure, includesSubdomains }: AnswerWay): Readonly<Record<string, string>> {
  if (!secure || includesSubdomains === undefined) return always;
  return includesSubdomains ? STRICT_TRANSPORT.subdomains : STRICT_TRANSPORT.host;
}
