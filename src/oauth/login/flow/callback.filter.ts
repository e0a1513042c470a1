import { Catch, Injectable, ExceptionFilter, ArgumentsHost } from '@nestjs/common';
import type { FastifyRequest, FastifyReply } from 'fastify';
import { ProblemResponderService, toProblem } from '../../../platform/http/problems';
import { isProgram, errorPage } from './callback-responses.service';
import { notedInteraction } from './pending-interaction';

/** Redirects browsers to the error page, which shows only the stable error code. */
@Catch()
@Injectable()
export class CallbackFilter implements ExceptionFilter {
  constructor(private readonly responder: ProblemResponderService) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const problem = toProblem(error);
    // Only the responder reports defects.
    if (isProgram(request) || problem.status === 500) void this.responder.send(error, request, reply);
    else void reply.redirect(errorPage(problem.code, notedInteraction(request)), 302);
  }
}
