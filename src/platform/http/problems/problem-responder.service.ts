import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findContext } from '../../context';
import { ProblemError } from '../../errors';
import { fallbackLanguage, TranslatorService } from '../../i18n';
import { FailureLogService } from './failure-log.service';
import { problemBody, ProblemDto } from './problem-body';
import { toProblem } from './to-problem';

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Sends an error as a problem response. */
@Injectable()
export class ProblemResponderService {
  constructor(
    private readonly translator: TranslatorService,
    private readonly failures: FailureLogService,
  ) {}

  send(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const problem = toProblem(error);
    const body = this.describe(problem, request);
    if (reply.sent) return reply;
    if (problem.retryAfterSeconds !== undefined) {
      void reply.header('retry-after', Math.max(1, problem.retryAfterSeconds));
    }
    return reply
      .code(problem.status)
      .header('content-type', PROBLEM_TYPE)
      .header('cache-control', 'no-store')
      .send(JSON.stringify(body));
  }

  /** Logs the problem where that is due, and returns its document in the language of the request. */
  describe(problem: ProblemError, request: object): ProblemDto {
    const context = findContext(request);
    const requestId = context?.requestId ?? '';
    this.report(problem, requestId);
    return problemBody(problem, context?.language ?? fallbackLanguage, requestId, this.translator);
  }

  private report(problem: ProblemError, requestId: string): void {
    if (problem.status === 500) this.failures.defect(problem.cause ?? problem, requestId);
    else if (problem.status === 503) this.failures.unavailable(problem.cause, requestId);
  }
}
