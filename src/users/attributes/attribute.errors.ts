import { defineErrors, ErrorFactory, ProblemError } from '../../platform/errors';

export const attributeErrors = defineErrors({
  attributeUnknown: 400,
  attributeReadOnly: 403,
  attributeTaken: 409,
  attributeTrusted: 409,
  inUse: 409,
  limitReached: 409,
  nameTaken: 409,
});

/** The error, naming the attributes. */
export const ofAttributes = (error: ErrorFactory, names: readonly string[]): ProblemError =>
  error({ fields: names.map((name) => ({ field: `attributes.${name}`, code: error.code })) });
