import type { RefreshToken } from 'oidc-provider';

const DAY = 86_400;

export const ACCESS_TOKEN_SECONDS = 900;
export const CODE_SECONDS = 60;
export const ID_TOKEN_SECONDS = 3_600;
export const INTERACTION_SECONDS = 1_800;
const LOGIN_STATE_SECONDS = 30 * DAY;
/** Each rotation restarts this lifetime. */
const REFRESH_IDLE_SECONDS = 30 * DAY;
/** Rotation does not extend this lifetime, which starts with the first token of the family. */
export const REFRESH_ABSOLUTE_SECONDS = 90 * DAY;
/** A grant must outlive all its tokens. */
export const GRANT_SECONDS = REFRESH_ABSOLUTE_SECONDS + DAY;

export function refreshTokenSeconds(token: RefreshToken): number {
  return Math.max(1, Math.min(REFRESH_IDLE_SECONDS, REFRESH_ABSOLUTE_SECONDS - token.totalLifetime()));
}

/** The session of a browser without a login is stored as long as a prompt may be open. */
export const browserSessionSeconds = (isLoggedIn: boolean): number =>
  isLoggedIn ? LOGIN_STATE_SECONDS : INTERACTION_SECONDS;
