import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { oauthErrors } from '../third-party-login.errors';
import { AccountLink, AccountLinkTokensService } from './account-link-tokens.service';
import { FlowCookiesService } from './flow-cookies.service';

const opened = new WeakMap<object, AccountLink>();

const requestOf = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>();

function tokenIn(body: unknown): string | undefined {
  const token = (body as { temp_token?: unknown } | null | undefined)?.temp_token;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

/** Opens the temp token. A guard, so that 401 takes precedence over validation errors. */
@Injectable()
export class BindTicketGuard implements CanActivate {
  constructor(
    private readonly tickets: AccountLinkTokensService,
    private readonly cookies: FlowCookiesService,
  ) {}

  /** Errors: `temp_token_invalid`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const token = tokenIn(request.body) ?? (await this.cookies.ticket(request));
    opened.set(request, await this.tickets.open(token, await this.cookies.browsers(request)));
    return true;
  }
}

/** The account link that `BindTicketGuard` opened. Errors: `temp_token_invalid`. */
export function ticketOf(request: FastifyRequest): AccountLink {
  const ticket = opened.get(request);
  if (!ticket) throw oauthErrors.tempTokenInvalid();
  return ticket;
}

/** The account link of the request. */
export const CurrentTicket = createParamDecorator((_: unknown, context: ExecutionContext) =>
  ticketOf(requestOf(context)),
);
