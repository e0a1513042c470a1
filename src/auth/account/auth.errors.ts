import { defineErrors } from '../../platform/errors';

export const authErrors = defineErrors({
  defaultRoleUnavailable: 500,
  passwordIncorrect: 400,
});
