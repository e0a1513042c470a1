import { HttpException } from '@nestjs/common';
import { STATUS_CODES } from 'node:http';
import { isDatabaseUnavailable } from '../../database';
import { platformErrors, ProblemError } from '../../errors';

const RETRY_AFTER_SECONDS = 2;

const byFastifyCode: Record<string, () => ProblemError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => platformErrors.payloadTooLarge(),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => platformErrors.unsupportedMediaType(),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => platformErrors.malformedJson(),
  FST_ERR_CTP_INVALID_JSON_BODY: () => platformErrors.malformedJson(),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => platformErrors.malformedJson(),
  FST_ERR_BAD_URL: () => platformErrors.notFound(),
  FST_ERR_MAX_PARAM_LENGTH: () => platformErrors.notFound(),
};

const byStatus: Record<number, () => ProblemError> = {
  400: () => platformErrors.malformedJson(),
  404: () => platformErrors.notFound(),
  405: () => platformErrors.notFound(),
  413: () => platformErrors.payloadTooLarge(),
  415: () => platformErrors.unsupportedMediaType(),
};

const byHostStatus: Record<number, () => ProblemError> = {
  401: () => platformErrors.unauthenticated(),
  404: () => platformErrors.notFound(),
  429: () => platformErrors.rateLimited({ retryAfterSeconds: RETRY_AFTER_SECONDS }),
  503: () => platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS }),
};

const nameOf = (status: number): string => (STATUS_CODES[status] ?? 'refused').toLowerCase().replace(/[^a-z]+/g, '_');

/** Exceptions of Nest come from a host: from its guards before our routes, or from its controllers behind our guard. */
function hostProblem(error: HttpException): ProblemError {
  const status = error.getStatus();
  const known = byHostStatus[status];
  if (known) return known();
  if (status < 400 || status >= 500) return platformErrors.internalError({ cause: error });
  return new ProblemError({ code: nameOf(status), status }, { cause: error });
}

/** Converts any error to a problem. An unexpected error becomes `internal_error` and reveals nothing. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof HttpException) return hostProblem(error);
  if (typeof error !== 'object' || error === null) return platformErrors.internalError({ cause: error });
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  // Checked first: a client that disconnects within the body causes the same codes as a database.
  const known = byFastifyCode[String(code)] ?? byStatus[Number(statusCode)];
  if (known) return known();
  if (isDatabaseUnavailable(error)) {
    return platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  }
  return platformErrors.internalError({ cause: error });
}
