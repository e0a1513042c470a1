import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { platformErrors } from '../../../platform/errors';
import { keepOpener, restoreType } from '../../../platform/http';
import { BrowserSession, SessionAuthenticatorService } from '../../../session';
import { OidcEngineService } from '../engine/oidc-engine.service';
import { attachExchange } from '../core/request';

/** Passes a request to the library, with this service's headers and the logged-in user. */
@Injectable()
export class OidcRequestHandler {
  constructor(
    private readonly engine: OidcEngineService,
    private readonly authenticator: SessionAuthenticatorService,
  ) {}

  /** For requests of applications, which do not depend on the logged-in user. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.pass(request, reply, undefined);
  }

  /** For routes that browsers are sent to. */
  async answerBrowser(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    keepOpener(reply);
    await this.pass(request, reply, await this.authenticator.recognise(request));
  }

  /** Errors: `not_found` while pushed authorization requests are off. */
  async answerPushed(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!(await this.engine.isPushingEnabled())) throw platformErrors.notFound();
    await this.answer(request, reply);
  }

  private async pass(request: FastifyRequest, reply: FastifyReply, login: BrowserSession | undefined): Promise<void> {
    const handle = await this.engine.handler();
    restoreType(request);
    attachExchange({ request, reply, login });
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    await handle(request.raw, reply.raw);
  }
}
