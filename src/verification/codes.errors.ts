import { defineErrors } from '../platform/errors';

export const codeErrors = defineErrors({
  codeInvalid: 400,
  verificationDisabled: 403,
  noVerifiedContact: 409,
  codeDailyLimitReached: 429,
  codeResendTooSoon: 429,
  deliveryFailed: 502,
});
