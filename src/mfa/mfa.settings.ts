import { choice, defineSetting, integer } from '../platform/settings';

export const mfaPolicies = ['off', 'optional', 'required'] as const;
export type MfaPolicy = (typeof mfaPolicies)[number];

/** `off`: nobody is asked for a second factor, whatever roles say. */
export const mfaPolicy = defineSetting<MfaPolicy>({
  key: 'mfa.policy',
  fallback: 'optional',
  kind: choice(mfaPolicies),
  public: true,
  sensitive: true,
});

export const MOST_TRUSTED_DAYS = 365;

/** 0: no browser is trusted. */
export const trustedDeviceDays = defineSetting({
  key: 'mfa.trusted_device_days',
  fallback: 0,
  kind: integer({ minimum: 0, maximum: MOST_TRUSTED_DAYS }),
  public: true,
  sensitive: true,
});
