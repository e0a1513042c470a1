import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomToken, sha256 } from '../crypto';
import { HostCookie, HostCookiesService } from './host-cookies.service';

/** Parallel flows of one kind per browser. */
const MAX_SECRETS = 4;
const SEPARATOR = '~';
const SECRETS = /^[\w-]{43}(?:~[\w-]{43}){0,3}$/;

/** A secret for a browser. The server stores its hash. */
export interface BrowserSecret {
  readonly value: string;
  readonly hash: string;
}

/** Binds the steps of a flow to one browser: a cookie holds random secrets, and the server stores their hashes. */
@Injectable()
export class BrowserSecretsService {
  constructor(private readonly cookies: HostCookiesService) {}

  /**
   * Creates a secret for a new flow and returns its hash. The cookie keeps the secrets of earlier flows, which never
   * match the new flow.
   */
  async draw(request: FastifyRequest, reply: FastifyReply, cookie: HostCookie, maxAgeSeconds: number): Promise<string> {
    const secret = this.create();
    await this.add(request, reply, cookie, { secret, maxAgeSeconds });
    return secret.hash;
  }

  /** Creates a secret without a cookie, for flows that may fail before the browser needs it. See `add`. */
  create(): BrowserSecret {
    const value = randomToken();
    return { value, hash: sha256(value) };
  }

  /** Adds the secret to those that the browser sent. */
  async add(
    request: FastifyRequest,
    reply: FastifyReply,
    cookie: HostCookie,
    { secret, maxAgeSeconds }: { secret: BrowserSecret; maxAgeSeconds: number },
  ): Promise<void> {
    const secrets = [secret.value, ...(await this.secrets(request, cookie.kind))];
    await this.write(secrets, { request, reply, cookie, maxAgeSeconds });
  }

  /** Renews the lifetime of the secrets that the browser sent. */
  async prolong(
    request: FastifyRequest,
    reply: FastifyReply,
    cookie: HostCookie,
    maxAgeSeconds: number,
  ): Promise<void> {
    const secrets = await this.secrets(request, cookie.kind);
    if (secrets.length > 0) await this.write(secrets, { request, reply, cookie, maxAgeSeconds });
  }

  /** Returns the hashes of the secrets that the browser sent. */
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
