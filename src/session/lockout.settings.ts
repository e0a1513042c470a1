import { defineSetting, integer } from '../platform/settings';

const count = (key: string, fallback: number, maximum: number) =>
  defineSetting({ key, fallback, kind: integer({ minimum: 1, maximum }), sensitive: true });

/** The longest that failures are counted, or a lock lasts. */
export const LOCKOUT_SECONDS_AT_MOST = 86_400;

export const lockoutThreshold = count('security.lockout_threshold', 10, 100);
export const lockoutWindow = count('security.lockout_window_seconds', 900, LOCKOUT_SECONDS_AT_MOST);
export const lockoutSeconds = count('security.lockout_seconds', 900, LOCKOUT_SECONDS_AT_MOST);
export const addressFailureThreshold = count('security.ip_failure_threshold', 50, 100_000);
