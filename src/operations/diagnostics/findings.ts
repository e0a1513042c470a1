import type { MailStatus } from '../../messaging';

export type FindingState = 'ok' | 'warning' | 'error';

/** The result of one check. `outcome` is the key of the text that says what to do. */
export interface Finding {
  readonly check: string;
  readonly state: FindingState;
  readonly outcome: string;
  readonly params: Readonly<Record<string, string | number>>;
}

const finding = (check: string, state: FindingState, outcome: string, params: Finding['params'] = {}): Finding => ({
  check,
  state,
  outcome,
  params,
});

/** @param browser the origin in the browser's address bar, if known. */
export function evaluateOrigin(seen: string, browser: string | undefined): Finding {
  if (browser === undefined || browser === seen) return finding('origin', 'ok', 'fine', { seen });
  return finding('origin', 'error', 'foreign', { seen, browser });
}

export function evaluateScheme(secure: boolean, isProduction: boolean): Finding {
  return secure ? finding('https', 'ok', 'fine') : finding('https', isProduction ? 'error' : 'warning', 'open');
}

/** @param hasForwarding whether the request has headers of a proxy. */
export function evaluateProxy(peer: string, isTrusted: boolean, hasForwarding: boolean): Finding {
  if (hasForwarding && !isTrusted) return finding('proxy', 'warning', 'untrusted', { peer });
  return finding('proxy', 'ok', hasForwarding ? 'trusted' : 'none', { peer });
}

const SKEW_WARNING_MS = 1_000;
const SKEW_ERROR_MS = 5_000;

/** @param skewMs how far the clock of this process is ahead of the database's. */
export function evaluateClock(skewMs: number): Finding {
  const seconds = Math.round(Math.abs(skewMs) / 100) / 10;
  if (Math.abs(skewMs) < SKEW_WARNING_MS) return finding('clock', 'ok', 'fine', { seconds });
  const state = Math.abs(skewMs) < SKEW_ERROR_MS ? 'warning' : 'error';
  return finding('clock', state, skewMs > 0 ? 'ahead' : 'behind', { seconds });
}

/** @param isForeign whether a value in the database cannot be decrypted with `ENCRYPTION_KEYS`. */
export function evaluateKeys(isForeign: boolean): Finding {
  return isForeign ? finding('keys', 'error', 'foreign') : finding('keys', 'ok', 'fine');
}

export function evaluateAdministrator(exists: boolean): Finding {
  return exists ? finding('administrator', 'ok', 'fine') : finding('administrator', 'warning', 'none');
}

/** The state of Redis: not configured, unreachable, or reachable with its eviction policy, if known. */
export type RedisStatus =
  { readonly kind: 'none' } | { readonly kind: 'away' } | { readonly kind: 'up'; readonly policy: string | undefined };

export function evaluateRedis(sight: RedisStatus, isProduction: boolean): Finding {
  if (sight.kind === 'none') return finding('redis', isProduction ? 'warning' : 'ok', 'none');
  if (sight.kind === 'away') return finding('redis', 'error', 'away');
  const { policy = 'unknown' } = sight;
  if (policy === 'noeviction') return finding('redis', 'ok', 'fine', { policy });
  return finding('redis', 'warning', policy === 'unknown' ? 'unknown' : 'evicting', { policy });
}

/** @param names the active clients that can log users in without PKCE. */
export function evaluatePkce(names: readonly string[]): Finding {
  if (names.length === 0) return finding('pkce', 'ok', 'fine');
  return finding('pkce', 'warning', 'off', { names: names.join(', ') });
}

export function evaluateMail(mail: MailStatus | undefined): Finding {
  if (!mail) return finding('mail', 'warning', 'none');
  if ('missing' in mail) return finding('mail', 'warning', 'incomplete', { missing: mail.missing });
  const { host, port, isProtected } = mail;
  return finding('mail', isProtected ? 'ok' : 'warning', isProtected ? 'fine' : 'open', { host, port });
}
