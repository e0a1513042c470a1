import { defineSetting, integer } from '../../platform/settings';

/** Each start and each callback of a login at a provider counts. */
export const providerStepsPerMinutePerAddress = defineSetting({
  key: 'rate.oauth_per_minute_ip',
  defaultValue: 120,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});
