import { defineErrors } from '../../platform/errors';

export const loginErrors = defineErrors({
  invalidCredentials: 401,
  loginMethodDisabled: 403,
  accountLocked: 429,
  lastLoginMethod: 409,
});
