import { defineSetting, integer } from '../../platform/settings';

export const MIN_RETENTION_DAYS = 30;

/**
 * Whole months are dropped, so an early event stays up to a month longer. The minimum of 30 days leaves time to notice
 * an administrator who shortens the retention to erase traces.
 */
export const auditRetentionDays = defineSetting({
  key: 'audit.retention_days',
  defaultValue: 365,
  kind: integer({ minimum: MIN_RETENTION_DAYS, maximum: 36_500 }),
  sensitive: true,
});
