import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomToken, sha256 } from '../crypto';
import { HostCookie, HostCookiesService } from './host-cookies.service';

/** Flows of one kind that one browser may have begun at a time. */
const MAX_SECRETS = 4;
const SEPARATOR = '~';
const SECRETS = /^[\w-]{43}(?:~[\w-]{43}){0,3}$/;

/** By what the steps of a flow are known to come from one browser: random secrets in a cookie, of which hashes are kept here. */
@Injectable()
export class BrowserSecretsService {
  constructor(private readonly cookies: HostCookiesService) {}

  /**
   * Draws a secret for a flow that begins; answers its hash. What the browser sent stays beside it, for the flows that were
   * begun with it, and never answers for this one.
   */
  async draw(request: FastifyRequest, reply: FastifyReply, cookie: HostCookie, maxAgeSeconds: number): Promise<string> {
    const secret = randomToken();
    await this.write([secret, ...(await this.secrets(request, cookie.kind))], {
      request,
      reply,
      cookie,
      maxAgeSeconds,
    });
    return sha256(secret);
  }

  /** Gives the secrets that the browser sent the whole time again. */
  async prolong(
    request: FastifyRequest,
    reply: FastifyReply,
    cookie: HostCookie,
    maxAgeSeconds: number,
  ): Promise<void> {
    const secrets = await this.secrets(request, cookie.kind);
    if (secrets.length > 0) await this.write(secrets, { request, reply, cookie, maxAgeSeconds });
  }

  /** The hashes of the secrets that the browser sent. */
  async hashes(request: FastifyRequest, kind: string): Promise<string[]> {
    return (await this.secrets(request, kind)).map(sha256);
  }

  private async secrets(request: FastifyRequest, kind: string): Promise<string[]> {
    const values = (await this.cookies.read(request, kind)).filter((value) => SECRETS.test(value));
    return values.flatMap((value) => value.split(SEPARATOR)).slice(0, MAX_SECRETS);
  }

  private async write(
    secrets: readonly string[],
    to: { request: FastifyRequest; reply: FastifyReply; cookie: HostCookie; maxAgeSeconds: number },
  ): Promise<void> {
    const value = secrets.slice(0, MAX_SECRETS).join(SEPARATOR);
    await this.cookies.write(to.request, to.reply, { ...to.cookie, value, maxAgeSeconds: to.maxAgeSeconds });
  }
}
