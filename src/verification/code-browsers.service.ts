import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contextOf } from '../platform/context';
import { BrowserSecretsService } from '../platform/http';
import { CodesService, SendCodeInput, SendCodeResult } from './codes.service';

const COOKIE = { kind: 'code' };

/**
 * Binds requests for codes to a browser by a cookie, so that attempts of others do not use up those of the browser.
 * Clients without cookies can use codes, too.
 */
@Injectable()
export class CodeBrowsersService {
  constructor(
    private readonly secrets: BrowserSecretsService,
    private readonly codes: CodesService,
  ) {}

  /** Sends a code, and gives the browser its secret. Errors: those of `CodesService.send`, which leave the cookie alone. */
  async send(input: SendCodeInput, request: FastifyRequest, reply: FastifyReply): Promise<SendCodeResult> {
    const secret = this.secrets.create();
    const sent = await this.codes.send(input, contextOf(request), secret.hash);
    await this.secrets.add(request, reply, COOKIE, { secret, maxAgeSeconds: sent.expiresIn });
    return sent;
  }

  /** The hashes of the secrets that the browser received. */
  hashes(request: FastifyRequest): Promise<string[]> {
    return this.secrets.hashes(request, COOKIE.kind);
  }
}
