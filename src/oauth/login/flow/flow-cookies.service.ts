import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BrowserSecretsService, HostCookie, HostCookiesService } from '../../../platform/http';

/** `oauth` identifies the browser. `oauth_post` does when a provider posts a form from its site. */
type FlowCookie = 'oauth' | 'oauth_post' | 'bind';

/** The time limit for a login at a provider, and then for the choice of an account. */
export const FLOW_SECONDS = 600;
const TOKEN = /^[\w-]{43}$/;
const OF_BROWSERS = ['oauth', 'oauth_post'] as const;

/** Cookies that bind the steps of a login at a provider to one browser. */
@Injectable()
export class FlowCookiesService {
  constructor(
    private readonly secrets: BrowserSecretsService,
    private readonly cookies: HostCookiesService,
  ) {}

  /** Sets a cookie with a new secret for the duration of the login. Returns the hash of the secret. */
  mark(request: FastifyRequest, reply: FastifyReply, { byFormPost }: { byFormPost: boolean }): Promise<string> {
    return this.secrets.draw(request, reply, cookieOf(byFormPost ? 'oauth_post' : 'oauth'), FLOW_SECONDS);
  }

  /** The hashes of the browser's secrets. */
  async browsers(request: FastifyRequest): Promise<string[]> {
    return (await Promise.all(OF_BROWSERS.map((kind) => this.secrets.hashes(request, kind)))).flat();
  }

  async linkToken(request: FastifyRequest): Promise<string | undefined> {
    return (await this.cookies.read(request, 'bind')).find((value) => TOKEN.test(value));
  }

  /** Writes the temp token, and prolongs the browser's cookies, because the token is valid in this browser only. */
  async writeLinkToken(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void> {
    await this.cookies.write(request, reply, { ...cookieOf('bind'), value: token, maxAgeSeconds: FLOW_SECONDS });
    for (const kind of OF_BROWSERS) await this.secrets.prolong(request, reply, cookieOf(kind), FLOW_SECONDS);
  }

  async clearLinkToken(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.cookies.clear(request, reply, cookieOf('bind'));
  }
}

/** A form POST from another site sends no Lax cookies. */
const cookieOf = (kind: FlowCookie): HostCookie => ({ kind, sameSite: kind === 'oauth_post' ? 'none' : 'lax' });
