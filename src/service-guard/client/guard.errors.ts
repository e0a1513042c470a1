import { defineErrors } from '../../platform/errors';

/** Errors that sessions of Castellan also have, with the same codes. */
export const guardErrors = defineErrors({
  tokenExpired: 401,
  sessionRevoked: 401,
});
