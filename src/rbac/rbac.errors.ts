import { defineErrors } from '../platform/errors';

export const rbacErrors = defineErrors({ systemRoleProtected: 403, lastAdmin: 409 });
