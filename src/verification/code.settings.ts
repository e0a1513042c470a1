import { defineSetting, integer, text } from '../platform/settings';

const whole = (key: string, defaultValue: number, minimum: number, maximum: number) =>
  defineSetting({ key, defaultValue, kind: integer({ minimum, maximum }), sensitive: true });

/** Value of `code.max_daily_count`: codes are disabled. */
export const DISABLED = 0;
/** Value of `code.max_daily_count`: no daily limit. */
export const UNLIMITED = -1;

/** Codes per target and day. */
export const maxDailyCodes = whole('code.max_daily_count', 10, UNLIMITED, 10_000);
/** When the day of the daily limits begins, in `app.time_zone`. */
export const codeDayStartsAt = defineSetting({
  key: 'code.day_starts_at',
  defaultValue: '00:00',
  kind: text(5, (value) => (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : 'time_of_day')),
  sensitive: true,
});
/** A name of the IANA time zone database. */
export const timeZone = defineSetting({
  key: 'app.time_zone',
  defaultValue: 'UTC',
  kind: text(64, (value) => (isTimeZone(value) ? undefined : 'time_zone')),
  sensitive: true,
});
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

/** Offsets such as `+08:00` are no names: they know no daylight saving time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
