import { defineErrors } from '../platform/errors';

export const usersErrors = defineErrors({
  registrationDisabled: 403,
  userDisabled: 403,
  usernameTaken: 409,
  emailTaken: 409,
  phoneTaken: 409,
  passwordTooCommon: 400,
  lastCredential: 409,
});
