import { defineSetting, integer } from '../../platform/settings';

const count = (key: string, defaultValue: number, maximum: number) =>
  defineSetting({ key, defaultValue, kind: integer({ minimum: 1, maximum }), guarded: true });

/** The maximum of the failure window and of the lock time. */
export const MAX_LOCKOUT_SECONDS = 86_400;

export const lockoutThreshold = count('security.lockout_threshold', 10, 100);
export const lockoutWindow = count('security.lockout_window_seconds', 900, MAX_LOCKOUT_SECONDS);
export const lockoutSeconds = count('security.lockout_seconds', 900, MAX_LOCKOUT_SECONDS);
export const addressFailureThreshold = count('security.ip_failure_threshold', 50, 100_000);
