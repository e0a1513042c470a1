import { boolean, defineSetting, integer } from '../../../platform/settings';

export const parEnabled = defineSetting({ key: 'oauth.par', defaultValue: false, kind: boolean, sensitive: true });
export const dpopEnabled = defineSetting({ key: 'oauth.dpop', defaultValue: false, kind: boolean, sensitive: true });

/** How long a refresh token is still accepted after its use. */
export const refreshGrace = defineSetting({
  key: 'oauth.refresh_grace_seconds',
  defaultValue: 30,
  kind: integer({ minimum: 0, maximum: 60 }),
  sensitive: true,
});

export const tokenPerMinutePerClient = defineSetting({
  key: 'rate.token_per_minute_client',
  defaultValue: 600,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});

/** Login and consent prompts, and sessions of anonymous browsers. Both are stored for half an hour. */
export const visitorsPerMinutePerAddress = defineSetting({
  key: 'rate.authorize_per_minute_ip',
  defaultValue: 600,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});
