import type { CachedSession } from './cached-session';

/** Above the version of every live session, because an end is final. */
export const ENDED_VERSION = Number.MAX_SAFE_INTEGER;
/** The range for the seconds between a session's start and its last authentication: 17 years. */
const PROOF_RANGE = 2 ** 29;

/**
 * Orders the states of a session by its counter, then by the last authentication. Neither ever decreases, so the higher
 * version is the newer state.
 */
export function versionOf({ counter, revoked, createdAt, authenticatedAt, secondFactorAt }: CachedSession): number {
  if (revoked) return ENDED_VERSION;
  const lastProof = Math.max(authenticatedAt, secondFactorAt ?? authenticatedAt);
  const seconds = Math.floor((lastProof - createdAt) / 1_000);
  const version = counter * PROOF_RANGE + Math.min(Math.max(seconds, 0), PROOF_RANGE - 1);
  return Math.min(version, ENDED_VERSION - 1);
}
