import { defineSetting, integer, text } from '../../platform/settings';
import { isRoleName } from './role-name';
import { USER_ROLE } from './system-roles';

/** The name of a role in the service's scope. Renaming the role updates the setting. */
export const defaultRole = defineSetting({
  key: 'register.default_role',
  defaultValue: USER_ROLE,
  kind: text(50, (name) => (isRoleName(name) ? undefined : 'role_name')),
  guarded: true,
});

/** Writes that need a permission, of all features together. The access guard enforces it. */
export const adminWritesPerMinutePerUser = defineSetting({
  key: 'rate.admin_writes_per_minute_user',
  defaultValue: 600,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});

/** Messages to users whom an organization adds without being asked: they are pending until they accept. */
export const memberNoticesPerDayPerOrganization = defineSetting({
  key: 'rate.member_notices_per_day_organization',
  defaultValue: 500,
  kind: integer({ minimum: 1, maximum: 1_000_000 }),
  sensitive: true,
});

/** Of all organizations together. Well above what one of them may send, which is one until its former one is declined. */
export const memberNoticesPerDayPerUser = defineSetting({
  key: 'rate.member_notices_per_day_user',
  defaultValue: 20,
  kind: integer({ minimum: 1, maximum: 10_000 }),
  sensitive: true,
});
