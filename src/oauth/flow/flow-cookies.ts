import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Environment } from '../../platform/config';
import { contextOf } from '../../platform/context';
import { randomToken, sha256 } from '../../platform/crypto';
import {
  areCookiesSecure,
  cookiePath,
  cookiePrefix,
  CookieTarget,
  cookieValues,
  expireCookie,
  SameSite,
  serializeCookie,
} from '../../platform/http';
import { SettingsReader } from '../../platform/settings';

/** `oauth` knows the browser again; `oauth_post` too, where a provider answers by a form of its own site. */
type FlowCookie = 'oauth' | 'oauth_post' | 'bind';

/** How long a login at a provider, and then the choice of an account, may take. */
export const FLOW_SECONDS = 600;
const TOKEN = /^[\w-]{43}$/;

/** What binds the steps of a login at a provider to one browser. */
@Injectable()
export class FlowCookies {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
  ) {}

  /** Makes the browser known for the time of the login; answers its secret's hash. One browser may have begun several. */
  async mark(request: FastifyRequest, reply: FastifyReply, { byFormPost }: { byFormPost: boolean }): Promise<string> {
    const kind = byFormPost ? 'oauth_post' : 'oauth';
    const secret = (await this.read(request, kind))[0] ?? randomToken();
    await this.write(request, reply, kind, secret);
    return sha256(secret);
  }

  /** The hashes of the secrets that the browser holds. */
  async browsers(request: FastifyRequest): Promise<string[]> {
    const secrets = [...(await this.read(request, 'oauth')), ...(await this.read(request, 'oauth_post'))];
    return secrets.map(sha256);
  }

  async ticket(request: FastifyRequest): Promise<string | undefined> {
    return (await this.read(request, 'bind'))[0];
  }

  /** The browser is known for as long as the token, which is good in it alone. */
  async writeTicket(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void> {
    await this.write(request, reply, 'bind', token);
    for (const kind of ['oauth', 'oauth_post'] as const) {
      const [secret] = await this.read(request, kind);
      if (secret !== undefined) await this.write(request, reply, kind, secret);
    }
  }

  async clearTicket(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    void reply.header('set-cookie', expireCookie(await this.target(request, 'bind')));
  }

  private async read(request: FastifyRequest, kind: FlowCookie): Promise<string[]> {
    const name = `${await this.settings.get(cookiePrefix)}_${kind}`;
    return cookieValues(request.raw.headers.cookie, name).filter((value) => TOKEN.test(value));
  }

  private async write(request: FastifyRequest, reply: FastifyReply, kind: FlowCookie, value: string): Promise<void> {
    const target = await this.target(request, kind);
    void reply.header('set-cookie', serializeCookie({ ...target, value, maxAgeSeconds: FLOW_SECONDS }));
  }

  /** A form from another site brings no Lax cookie; browsers take `SameSite=None` only with Secure (RFC 6265bis §5.7). */
  private async target(request: FastifyRequest, kind: FlowCookie): Promise<CookieTarget> {
    const [prefix, path] = await Promise.all([this.settings.get(cookiePrefix), this.settings.get(cookiePath)]);
    const crossSite = kind === 'oauth_post';
    const sameSite: SameSite = crossSite ? 'none' : 'lax';
    const secure = crossSite || areCookiesSecure(this.environment, contextOf(request).origin.secure);
    return { name: `${prefix}_${kind}`, path, sameSite, secure };
  }
}
