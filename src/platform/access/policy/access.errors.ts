import { defineErrors } from '../../errors';

export const accessErrors = defineErrors({
  sessionRevoked: 401,
  passwordChangeRequired: 403,
  termsRequired: 403,
  attributesRequired: 403,
  mfaEnrolmentRequired: 403,
  loginMethodNotAccepted: 403,
  escalationDenied: 403,
  actingRestricted: 403,
});
