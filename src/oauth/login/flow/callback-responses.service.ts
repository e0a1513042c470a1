import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LoginCookiesService } from '../../../auth';
import { LoginResult } from '../../../auth/login';
import { isJson, prefersJson } from '../../../platform/http';
import { CallbackOutcome } from './callback.service';
import { CallbackAnswerDto, externalProfileDto } from './dto/callback.dto';
import { FlowCookiesService } from './flow-cookies.service';
import { ReturnAddressesService } from './return-addresses.service';

const HOME_PAGE = '/';
const BIND_PAGE = '/bind';
const ERROR_PAGE = '/error';
const SECOND_STEP_PAGE = '/login/mfa';

/** Whether the client expects JSON. Browsers that come from a provider get a redirect. */
export function isProgram({ headers }: FastifyRequest): boolean {
  return isJson(headers['content-type']) || prefersJson(headers.accept);
}

/** Sends the response to a callback. */
@Injectable()
export class CallbackResponsesService {
  constructor(
    private readonly logins: LoginCookiesService,
    private readonly cookies: FlowCookiesService,
    private readonly returns: ReturnAddressesService,
  ) {}

  async send(outcome: CallbackOutcome, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const second =
      outcome.status === 'logged_in' ? await this.setLoginCookies(outcome.result, request, reply) : undefined;
    if (outcome.status === 'bind_required') await this.cookies.writeLinkToken(request, reply, outcome.token);
    if (isProgram(request)) {
      await reply.code(200).send(second ?? answerOf(outcome));
      return;
    }
    const page = await this.pageOf(outcome, request);
    await reply.redirect(second ? secondStepPage(page) : page, 302);
  }

  /** Validates the URL again, because its origin may no longer be allowed. */
  private async pageOf(outcome: CallbackOutcome, request: FastifyRequest): Promise<string> {
    if (outcome.status === 'bind_required') return BIND_PAGE;
    return (await this.returns.read(outcome.returnTo, request)) ?? HOME_PAGE;
  }

  /** Undefined: the user is logged in. */
  private async setLoginCookies(
    result: LoginResult,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<CallbackAnswerDto | undefined> {
    const answer = await this.logins.respond(result, request, reply);
    if (!('mfa_required' in answer)) return undefined;
    return { status: 'mfa_required', mfa_token: answer.mfa_token, methods: answer.methods };
  }
}

/** The token stays in its cookie, because URLs are logged. */
const secondStepPage = (next: string): string => `${SECOND_STEP_PAGE}?redirect=${encodeURIComponent(next)}`;

function answerOf(outcome: CallbackOutcome): CallbackAnswerDto {
  if (outcome.status !== 'bind_required') return { status: outcome.status };
  const { status, token, profile } = outcome;
  return { status, temp_token: token, profile: externalProfileDto(profile) };
}

export function errorPage(code: string, interaction: string | undefined): string {
  return `${ERROR_PAGE}?${new URLSearchParams({ code, ...(interaction !== undefined && { interaction }) }).toString()}`;
}
