import type { RefreshToken } from 'oidc-provider';

const DAY = 86_400;

export const ACCESS_TOKEN_SECONDS = 900;
export const CODE_SECONDS = 60;
export const ID_TOKEN_SECONDS = 3_600;
export const INTERACTION_SECONDS = 1_800;
const LOGIN_STATE_SECONDS = 30 * DAY;
/** Each rotation restarts it … */
const REFRESH_IDLE_SECONDS = 30 * DAY;
/** … and never moves this end, counted from the first token of the family. */
export const REFRESH_ABSOLUTE_SECONDS = 90 * DAY;
/** A grant that is to outlive every token that it gives. */
export const GRANT_SECONDS = REFRESH_ABSOLUTE_SECONDS + DAY;

export function refreshTokenSeconds(token: RefreshToken): number {
  return Math.max(1, Math.min(REFRESH_IDLE_SECONDS, REFRESH_ABSOLUTE_SECONDS - token.totalLifetime()));
}

/** A browser without a login is remembered for as long as a prompt may be open. */
export const loginStateSeconds = (isLoggedIn: boolean): number =>
  isLoggedIn ? LOGIN_STATE_SECONDS : INTERACTION_SECONDS;
