import { defineErrors } from '../platform/errors';

export const mfaErrors = defineErrors({
  codeInvalid: 400,
  invalidCredentials: 401,
  tempTokenInvalid: 401,
  mfaDisabled: 403,
  accountLocked: 429,
  tooManyPasskeys: 409,
});
