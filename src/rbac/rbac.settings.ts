import { defineSetting, text } from '../platform/settings';
import { isRoleName } from './role-name';
import { USER_ROLE } from './system-roles';

/** Name of a role of the service's own scope; it follows that role when it is renamed. */
export const defaultRole = defineSetting({
  key: 'register.default_role',
  defaultValue: USER_ROLE,
  kind: text(50, (name) => (isRoleName(name) ? undefined : 'role_name')),
  guarded: true,
});
