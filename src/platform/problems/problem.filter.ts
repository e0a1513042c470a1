import { ArgumentsHost, Catch, ExceptionFilter, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemResponderService } from './problem-responder.service';

/** Sends every error of our controllers as a problem. Errors outside of controllers use `ProblemResponderService`. */
@Catch()
@Injectable()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly responder: ProblemResponderService) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    void this.responder.send(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}
