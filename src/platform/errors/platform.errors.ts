import { defineErrors } from './define-errors';

export const platformErrors = defineErrors({
  validationFailed: 400,
  malformedJson: 400,
  hostRejected: 400,
  unauthenticated: 401,
  permissionDenied: 403,
  reauthenticationRequired: 401,
  csrfRejected: 403,
  notFound: 404,
  versionConflict: 409,
  payloadTooLarge: 413,
  unsupportedMediaType: 415,
  rateLimited: 429,
  internalError: 500,
  unavailable: 503,
});
