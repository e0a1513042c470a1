import { choice, defineSetting, integer } from '../platform/settings';

export const mfaPolicies = ['off', 'optional', 'required'] as const;
export type MfaPolicy = (typeof mfaPolicies)[number];

/** With `off`, no second factor is required, regardless of roles. */
export const mfaPolicy = defineSetting<MfaPolicy>({
  key: 'mfa.policy',
  defaultValue: 'optional',
  kind: choice(mfaPolicies),
  public: true,
  guarded: true,
});

export const MAX_TRUSTED_DAYS = 365;

/** 0 means that no browser is trusted. */
export const trustedDeviceDays = defineSetting({
  key: 'mfa.trusted_device_days',
  defaultValue: 0,
  kind: integer({ minimum: 0, maximum: MAX_TRUSTED_DAYS }),
  public: true,
  guarded: true,
});

export const passkeyOptionsPerMinutePerAddress = defineSetting({
  key: 'rate.passkey_options_per_minute_ip',
  defaultValue: 60,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});

export const passkeyOptionsPerMinutePerUser = defineSetting({
  key: 'rate.passkey_options_per_minute_user',
  defaultValue: 30,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});
