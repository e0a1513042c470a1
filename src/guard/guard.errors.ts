import { defineErrors } from '../platform/errors';

/** Errors that the embedded guard also has, with the same codes. */
export const guardErrors = defineErrors({
  tokenExpired: 401,
  sessionRevoked: 401,
  passwordChangeRequired: 403,
  mfaEnrolmentRequired: 403,
});
