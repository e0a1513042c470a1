import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { SessionCookiesService, SessionsService } from '../../../session';
import { isLogout } from './logout-state';
import { loginOf, replyOf, requestOf } from '../core/request';

/** After an application's logout request, also ends this service's session if the user confirmed. */
@Injectable()
export class ConfirmedLogoutService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookiesService,
  ) {}

  async follow(ctx: KoaContextWithOIDC): Promise<void> {
    const login = loginOf(ctx.req);
    if (!login || !isLogout(ctx)) return;
    await this.sessions.logout(login.sessionId, login.userId);
    const reply = replyOf(ctx.req);
    await this.cookies.clear(requestOf(ctx.req), reply);
    for (const cookie of [reply.getHeader('set-cookie') ?? []].flat()) ctx.append('set-cookie', String(cookie));
  }
}
