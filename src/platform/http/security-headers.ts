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

/** Defaults for an answer; a route that says otherwise wins. */
export function securityHeaders({ secure }: { secure: boolean }): Readonly<Record<string, string>> {
  return secure ? { ...always, 'strict-transport-security': HSTS } : always;
}
