import { ArgumentsHost, Catch, ExceptionFilter, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestIn } from '../../context';
import { isDatabaseUnavailable } from '../../database';
import { ProblemError } from '../../errors';
import { ProblemResponderService } from './problem-responder.service';
import { toProblem } from './to-problem';

interface Socket {
  /** A number at the sockets of `ws`, whose `emit` stays in the process. */
  readonly readyState?: unknown;
  send(message: string): void;
  emit(event: string, message: unknown): void;
}

/** The event by which Nest reports errors of message handlers. */
const EXCEPTION = 'exception';

/** GraphQL reports the members of `extensions`. */
class GraphqlProblem extends Error {
  constructor(
    message: string,
    readonly extensions: object,
  ) {
    super(message);
    this.name = 'GraphqlProblem';
  }
}

/** The payload of a `WsException` of the host, as Nest sends it. */
function ownPayload(error: unknown): object | undefined {
  if (typeof error !== 'object' || error === null || !('getError' in error)) return undefined;
  const payload: unknown = (error as { getError(): unknown }).getError();
  return typeof payload === 'object' && payload !== null ? payload : { status: 'error', message: payload };
}

/** Without a request, as where a socket lacks its handshake, a problem has no id and is in English. */
function requestOf(host: ArgumentsHost): object {
  try {
    return requestIn(host);
  } catch {
    return {};
  }
}

/**
 * Reports every error of our controllers, and of what has `@IdentityGuarded()`, as a problem. Errors outside of
 * controllers use `ProblemResponderService`.
 */
@Catch()
@Injectable()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly responder: ProblemResponderService) {}

  catch(error: unknown, host: ArgumentsHost): unknown {
    const type = host.getType<string>();
    if (type === 'graphql') return this.forGraphql(error, host);
    if (type === 'ws') this.sendBySocket(error, host);
    else this.sendReply(error, host);
    return undefined;
  }

  private sendReply(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    void this.responder.send(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** GraphQL throws an error that is returned. Errors of the host are its own to format. */
  private forGraphql(error: unknown, host: ArgumentsHost): unknown {
    const problem = isDatabaseUnavailable(error) ? toProblem(error) : error;
    if (!(problem instanceof ProblemError)) return error;
    const { detail, ...rest } = this.responder.describe(problem, requestOf(host));
    return new GraphqlProblem(detail, rest);
  }

  private sendBySocket(error: unknown, host: ArgumentsHost): void {
    const client = host.switchToWs().getClient<Socket>();
    const payload = ownPayload(error) ?? this.responder.describe(toProblem(error), requestOf(host));
    if (typeof client.readyState !== 'number') client.emit(EXCEPTION, payload);
    else client.send(JSON.stringify({ event: EXCEPTION, data: payload }));
  }
}
