import type { CachedSession } from './cached-session';

/** Above the version of every session that goes on: an end is final. */
export const ENDED_VERSION = Number.MAX_SAFE_INTEGER;
/** Seconds from a session's start to its last proof of identity have this much room: 17 years. */
const PROOF_RANGE = 2 ** 29;

/**
 * The order of a session's states: its counter, and under one counter the last proof of identity in it. Neither ever moves
 * back, so the higher of two versions is the newer state.
 */
export function versionOf({ counter, revoked, createdAt, authenticatedAt, secondFactorAt }: CachedSession): number {
  if (revoked) return ENDED_VERSION;
  const lastProof = Math.max(authenticatedAt, secondFactorAt ?? 0);
  const seconds = Math.floor((lastProof - createdAt) / 1_000);
  const version = counter * PROOF_RANGE + Math.min(Math.max(seconds, 0), PROOF_RANGE - 1);
  return Math.min(version, ENDED_VERSION - 1);
}
