import { defineSetting, integer } from '../platform/settings';

/**
 * Whole months are dropped, so an early event of a month stays up to a month longer. The minimum keeps a person who may
 * change settings from erasing their own traces: it leaves a month for others to look.
 */
export const auditRetentionDays = defineSetting({
  key: 'audit.retention_days',
  defaultValue: 365,
  kind: integer({ minimum: 30, maximum: 36_500 }),
  sensitive: true,
});
