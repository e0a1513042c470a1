import { defineSetting, integer } from '../platform/settings';

/**
 * Whole months go, so what happened early in a month stays up to a month longer. The floor keeps whoever may change
 * settings from wiping out what they did: a month is enough for somebody else to look.
 */
export const auditRetentionDays = defineSetting({
  key: 'audit.retention_days',
  fallback: 365,
  kind: integer({ minimum: 30, maximum: 36_500 }),
  sensitive: true,
});
