import { defineErrors } from '../../platform/errors';

export const oauthErrors = defineErrors({
  stateInvalid: 400,
  tempTokenInvalid: 401,
  identityTaken: 409,
});
