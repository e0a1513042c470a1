import { defineErrors } from '../../platform/errors';

export const oauthErrors = defineErrors({
  stateInvalid: 400,
  tempTokenInvalid: 401,
  emailDomainNotAllowed: 403,
  emailMismatch: 403,
  identityTaken: 409,
});
