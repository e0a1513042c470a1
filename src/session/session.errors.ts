import { defineErrors } from '../platform/errors';

export const sessionErrors = defineErrors({
  tokenExpired: 401,
  sessionRevoked: 401,
  refreshReused: 401,
  actAsDisabled: 403,
});
