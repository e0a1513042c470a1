import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findContext } from '../context';
import { DatabaseWatch, isPoolBusy } from '../database';
import { ProblemError } from '../errors';
import { fallbackLanguage, Translator } from '../i18n';
import { Log } from '../logging';
import { Metrics } from '../metrics';
import { problemBody } from './problem-body';
import { toProblem } from './to-problem';

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Writes an error as its answer. Defects are logged with their cause; a database that is away is one state, not a defect. */
@Injectable()
export class ProblemResponder {
  constructor(
    private readonly translator: Translator,
    private readonly log: Log,
    private readonly database: DatabaseWatch,
    private readonly metrics: Metrics,
  ) {}

  send(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const problem = toProblem(error);
    const context = findContext(request);
    const requestId = context?.requestId ?? '';
    this.report(problem, requestId);
    if (reply.sent) return reply;
    if (problem.retryAfterSeconds !== undefined) {
      void reply.header('retry-after', Math.max(1, problem.retryAfterSeconds));
    }
    const language = context?.language ?? fallbackLanguage;
    return reply
      .code(problem.status)
      .header('content-type', PROBLEM_TYPE)
      .header('cache-control', 'no-store')
      .send(JSON.stringify(problemBody(problem, language, requestId, this.translator)));
  }

  private report(problem: ProblemError, requestId: string): void {
    if (problem.status === 500) {
      this.log.error('A request failed by a defect', { request_id: requestId, err: problem.cause ?? problem });
    } else if (problem.status === 503) {
      if (isPoolBusy(problem.cause)) this.metrics.countBusyRefusal();
      const level = this.database.takes(problem.cause) ? 'debug' : 'warn';
      this.log[level]('A request was refused: unavailable', { request_id: requestId, err: problem.cause });
    }
  }
}
