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
export class AccountLinkTokenGuard implements CanActivate {
  constructor(
    private readonly linkTokens: AccountLinkTokensService,
    private readonly cookies: FlowCookiesService,
  ) {}

  /** Errors: `temp_token_invalid`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const token = tokenIn(request.body) ?? (await this.cookies.linkToken(request));
    opened.set(request, await this.linkTokens.open(token, await this.cookies.browsers(request)));
    return true;
  }
}

/** The account link that `AccountLinkTokenGuard` opened. Errors: `temp_token_invalid`. */
export function ticketOf(request: FastifyRequest): AccountLink {
  const link = opened.get(request);
  if (!link) throw oauthErrors.tempTokenInvalid();
  return link;
}

/** The account link of the request. */
export const CurrentAccountLink = createParamDecorator((_: unknown, context: ExecutionContext) =>
  ticketOf(requestOf(context)),
);
