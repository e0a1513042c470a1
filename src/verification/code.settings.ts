import { defineSetting, integer } from '../platform/settings';

const whole = (key: string, defaultValue: number, minimum: number, maximum: number) =>
  defineSetting({ key, defaultValue, kind: integer({ minimum, maximum }), sensitive: true });

/** Value of `code.max_daily_count`: codes are disabled. */
export const DISABLED = 0;
/** Value of `code.max_daily_count`: no daily limit. */
export const UNLIMITED = -1;

/** Codes per target and UTC day. */
export const maxDailyCodes = whole('code.max_daily_count', 10, UNLIMITED, 10_000);
export const codeLength = whole('code.length', 6, 6, 8);
export const codeTtl = whole('code.ttl_seconds', 600, 30, 600);
/** Seconds between two codes to one target. */
export const codeResend = whole('code.resend_seconds', 60, 0, 600);
export const maxCodeAttempts = whole('code.max_attempts', 5, 1, 10);
export const codesPerHourPerAddress = whole('code.max_hourly_per_ip', 20, 1, 100_000);
/** For one channel and all targets together. */
export const codesPerHourPerChannel = whole('code.max_hourly_total', 2_000, 1, 10_000_000);
/** For phone numbers that differ only in their last four digits. */
export const codesPerHourPerPrefix = whole('code.max_hourly_per_prefix', 50, 1, 10_000_000);
