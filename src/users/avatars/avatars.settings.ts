import { defineSetting, integer } from '../../platform/settings';

export const avatarUploadsPerHourPerUser = defineSetting({
  key: 'rate.avatar_uploads_per_hour_user',
  defaultValue: 20,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});
