import { defineSetting, integer } from '../../platform/settings';

export const exportsPerHourPerUser = defineSetting({
  key: 'rate.account_exports_per_hour_user',
  defaultValue: 5,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});
