import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { oauthErrors } from '../oauth.errors';
import { BindTicket, BindTickets } from './bind-tickets';
import { FlowCookies } from './flow-cookies';

const opened = new WeakMap<object, BindTicket>();

const requestOf = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>();

function tokenIn(body: unknown): string | undefined {
  const token = (body as { temp_token?: unknown } | null | undefined)?.temp_token;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

/** Opens the ticket that the temp token stands for: a guard, as 401 stands before the fields. */
@Injectable()
export class BindTicketGuard implements CanActivate {
  constructor(
    private readonly tickets: BindTickets,
    private readonly cookies: FlowCookies,
  ) {}

  /** Errors: `temp_token_invalid`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const token = tokenIn(request.body) ?? (await this.cookies.ticket(request));
    opened.set(request, await this.tickets.open(token, await this.cookies.browsers(request)));
    return true;
  }
}

/** The ticket that `BindTicketGuard` opened. */
export const CurrentTicket = createParamDecorator((_: unknown, context: ExecutionContext): BindTicket => {
  const ticket = opened.get(requestOf(context));
  if (!ticket) throw oauthErrors.tempTokenInvalid();
  return ticket;
});
