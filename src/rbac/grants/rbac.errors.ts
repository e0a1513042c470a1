import { defineErrors } from '../../platform/errors';

export const rbacErrors = defineErrors({
  systemRoleProtected: 403,
  nameTaken: 409,
  inUse: 409,
  lastAdmin: 409,
  tooManyRoles: 409,
  tooManySlugs: 409,
});
