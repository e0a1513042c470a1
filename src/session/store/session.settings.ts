import { boolean, defineSetting, integer } from '../../platform/settings';

const seconds = (key: string, defaultValue: number, minimum: number, maximum: number) =>
  defineSetting({ key, defaultValue, kind: integer({ minimum, maximum }), sensitive: true });

const YEAR = 31_536_000;

export const accessTtl = seconds('jwt.access_ttl_seconds', 900, 1, 3_600);
/** Idle lifetime. Each rotation restarts it. */
export const refreshTtl = seconds('jwt.refresh_ttl_seconds', 2_592_000, 60, YEAR);
/** How long the previous counter stays accepted after a rotation. */
export const versionGrace = seconds('jwt.version_grace_seconds', 30, 0, 60);
/** Rotation never extends the absolute lifetime. */
export const absoluteTtl = seconds('session.absolute_ttl_seconds', 7_776_000, 60, 10 * YEAR);
/** Guarded, because it defines a recent login for every action that needs one. */
export const recentLoginSeconds = defineSetting({
  key: 'session.recent_login_seconds',
  defaultValue: 600,
  kind: integer({ minimum: 1, maximum: 3_600 }),
  guarded: true,
});

/** Whether users with the permission may act as other users. Public, so that pages know whether to offer it. */
export const actAsEnabled = defineSetting({
  key: 'session.act_as_enabled',
  defaultValue: false,
  kind: boolean,
  public: true,
  guarded: true,
});

/** A login beyond the limit ends the session that was seen longest ago. */
export const maxSessionsPerUser = defineSetting({
  key: 'session.max_per_user',
  defaultValue: 50,
  kind: integer({ minimum: 1, maximum: 1_000 }),
  sensitive: false,
});

export const refreshPerMinutePerSession = defineSetting({
  key: 'rate.refresh_per_minute_session',
  defaultValue: 60,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});
