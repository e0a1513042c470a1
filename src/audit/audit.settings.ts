import { defineSetting, integer } from '../platform/settings';

/** Whole months go, so what happened early in a month stays up to a month longer. */
export const auditRetentionDays = defineSetting({
  key: 'audit.retention_days',
  fallback: 365,
  kind: integer({ minimum: 1, maximum: 36_500 }),
  sensitive: true,
});
