import { defineErrors } from '../platform/errors';

export const authErrors = defineErrors({
  invalidCredentials: 401,
  loginMethodDisabled: 403,
  userDisabled: 403,
  defaultRoleUnavailable: 500,
  passwordIncorrect: 400,
});
