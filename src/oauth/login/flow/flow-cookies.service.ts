import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserSecretsService, HostCookie, HostCookiesService } from '../../../platform/http';

/** `oauth` recognises the browser; `oauth_post` does where a provider posts a form from its own site. */
type FlowCookie = 'oauth' | 'oauth_post' | 'bind';

/** How long a login at a provider, and then the choice of an account, may take. */
export const FLOW_SECONDS = 600;
const TOKEN = /^[\w-]{43}$/;
const OF_BROWSERS = ['oauth', 'oauth_post'] as const;

/** What binds the steps of a login at a provider to one browser. */
@Injectable()
export class FlowCookiesService {
  constructor(
    private readonly secrets: BrowserSecretsService,
    private readonly cookies: HostCookiesService,
  ) {}

  /** Makes the browser known for the time of the login, by a secret that is drawn for it; answers the secret's hash. */
  mark(request: FastifyRequest, reply: FastifyReply, { byFormPost }: { byFormPost: boolean }): Promise<string> {
    return this.secrets.draw(request, reply, cookieOf(byFormPost ? 'oauth_post' : 'oauth'), FLOW_SECONDS);
  }

  /** The hashes of the secrets that the browser holds. */
  async browsers(request: FastifyRequest): Promise<string[]> {
    return (await Promise.all(OF_BROWSERS.map((kind) => this.secrets.hashes(request, kind)))).flat();
  }

  async ticket(request: FastifyRequest): Promise<string | undefined> {
    return (await this.cookies.read(request, 'bind')).find((value) => TOKEN.test(value));
  }

  /** The browser is known for as long as the token, which is good in it alone. */
  async writeTicket(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void> {
    await this.cookies.write(request, reply, { ...cookieOf('bind'), value: token, maxAgeSeconds: FLOW_SECONDS });
    for (const kind of OF_BROWSERS) await this.secrets.prolong(request, reply, cookieOf(kind), FLOW_SECONDS);
  }

  async clearTicket(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.cookies.clear(request, reply, cookieOf('bind'));
  }
}

/** A form from another site brings no Lax cookie. */
const cookieOf = (kind: FlowCookie): HostCookie => ({ kind, sameSite: kind === 'oauth_post' ? 'none' : 'lax' });
