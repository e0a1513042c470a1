import { boolean, defineSetting, integer } from '../../platform/settings';

export const notifyNewDevice = defineSetting({
  key: 'session.notify_new_device',
  defaultValue: false,
  kind: boolean,
  sensitive: false,
});

/** The limit for one contact: the actions behind notices can be repeated at will, and SMS cost money. */
export const maxHourlyNotices = defineSetting({
  key: 'delivery.max_hourly_notices',
  defaultValue: 10,
  kind: integer({ minimum: 1, maximum: 10_000 }),
  sensitive: true,
});
