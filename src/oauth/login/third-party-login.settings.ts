import { defineSetting, integer } from '../../platform/settings';

/** Each begun or ended login at a provider counts once. */
export const providerStepsPerMinutePerAddress = defineSetting({
  key: 'rate.oauth_per_minute_ip',
  defaultValue: 120,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});
