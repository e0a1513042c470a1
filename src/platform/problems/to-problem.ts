import { HttpException } from '@nestjs/common';
import { isDatabaseUnavailable } from '../database';
import { platformErrors, ProblemError } from '../errors';

const RETRY_AFTER_SECONDS = 2;

const byFastifyCode: Record<string, () => ProblemError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => platformErrors.payloadTooLarge(),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => platformErrors.unsupportedMediaType(),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => platformErrors.malformedJson(),
  FST_ERR_CTP_INVALID_JSON_BODY: () => platformErrors.malformedJson(),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => platformErrors.malformedJson(),
};

const byStatus: Record<number, () => ProblemError> = {
  400: () => platformErrors.malformedJson(),
  404: () => platformErrors.notFound(),
  405: () => platformErrors.notFound(),
  413: () => platformErrors.payloadTooLarge(),
  415: () => platformErrors.unsupportedMediaType(),
};

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const { statusCode } = error as { statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : undefined;
}

/** Whatever was thrown, as a problem of the closed list; what nobody foresaw is `internal_error` and tells nothing. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (typeof error !== 'object' || error === null) return platformErrors.internalError({ cause: error });
  if (isDatabaseUnavailable(error)) {
    return platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  }
  const known = byFastifyCode[String((error as { code?: unknown }).code)] ?? byStatus[statusOf(error) ?? 500];
  return known ? known() : platformErrors.internalError({ cause: error });
}
