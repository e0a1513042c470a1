import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { platformErrors } from '../../platform/errors';
import { restoreType } from '../../platform/http';
import { LoginState, SessionAuthenticator } from '../../session';
import { Engine } from '../engine/engine';
import { attachExchange } from '../engine/request';
import { Interactions } from '../interactions/interactions.service';

/** The way of a request to the library, which answers it by itself: with our headers, and knowing who is logged in. */
@Injectable()
export class ProtocolGateway {
  constructor(
    private readonly engine: Engine,
    private readonly interactions: Interactions,
    private readonly authenticator: SessionAuthenticator,
  ) {}

  /** For what applications call by themselves: whoever is logged in does not matter. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.pass(request, reply, undefined);
  }

  /** For what a browser is sent to. */
  async answerBrowser(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.pass(request, reply, await this.authenticator.recognise(request));
  }

  /** For the browser that comes back from a page. */
  async resume(uid: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const login = await this.authenticator.recognise(request);
    await this.interactions.dropForeignDecision(uid, login);
    await this.pass(request, reply, login);
  }

  /** Errors: `not_found` while pushed requests are off. */
  async answerPushed(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!(await this.engine.isPushingEnabled())) throw platformErrors.notFound();
    await this.answer(request, reply);
  }

  private async pass(request: FastifyRequest, reply: FastifyReply, login: LoginState | undefined): Promise<void> {
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
