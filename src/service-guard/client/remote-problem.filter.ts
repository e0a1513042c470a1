import { ArgumentsHost, Catch, ExceptionFilter, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ProblemError } from '../../platform/errors';
import { findCaller } from './callers';
import { ProblemTextsService } from './problem-texts.service';
import { GuardedRequest } from './request-credentials';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Sends the guard's errors as `application/problem+json` (RFC 9457). Other errors are left to the application. */
@Catch(ProblemError)
@Injectable()
export class RemoteProblemFilter implements ExceptionFilter<ProblemError> {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly texts: ProblemTextsService,
  ) {}

  catch(error: ProblemError, host: ArgumentsHost): void {
    const { httpAdapter } = this.adapter;
    const request = host.switchToHttp().getRequest<GuardedRequest>();
    const response = host.switchToHttp().getResponse<object>();
    const requestId = requestIdOf(request);
    const body = this.texts.bodyOf(error, this.texts.languageOf(request, findCaller(request)), requestId);
    for (const [name, value] of Object.entries(headersOf(error, request, requestId))) {
      httpAdapter.setHeader(response, name, value);
    }
    // A text, because Express and Fastify replace the content type of objects.
    httpAdapter.reply(response, JSON.stringify(body), error.status);
  }
}

function headersOf(error: ProblemError, { headers }: GuardedRequest, requestId: string): Record<string, string> {
  const isBearer = /^Bearer\b/i.test(String(headers['authorization'] ?? ''));
  return {
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    // RFC 6750 §3.1.
    ...(error.status === 401 && isBearer && { 'www-authenticate': 'Bearer error="invalid_token"' }),
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
  };
}

function requestIdOf({ headers }: GuardedRequest): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : crypto.randomUUID();
}
