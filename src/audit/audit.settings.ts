import { defineSetting, integer } from '../platform/settings';

/**
 * Whole months are dropped, so an early event stays up to a month longer. The minimum of 30 days leaves time to notice
 * an administrator who shortens the retention to erase traces.
 */
export const auditRetentionDays = defineSetting({
  key: 'audit.retention_days',
  defaultValue: 365,
  kind: integer({ minimum: 30, maximum: 36_500 }),
  sensitive: true,
});
