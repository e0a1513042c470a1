import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  BrowserLogin,
  Entrance,
  isLoggedIn,
  LoggedIn,
  LoggedInDto,
  RegistrationService,
  SecondStepDto,
  SecondStepDueDto,
} from '../../auth';
import { contextOf } from '../../platform/context';
import { checkInput } from '../../platform/input';
import { isJsonObject } from '../../platform/text';
import { KnownUser } from '../../users';
import { accountFace, Identities, provenEmail } from '../identities';
import { oauthErrors } from '../oauth.errors';
import { BindTicket, BindTickets } from './bind-tickets';
import { BindRegisterDto } from './dto/bind.dto';
import { FlowCookies } from './flow-cookies';

/** Links the person of a ticket to a new account, or to one that is proven to be theirs. */
@Injectable()
export class BindService {
  constructor(
    private readonly tickets: BindTickets,
    private readonly identities: Identities,
    private readonly registration: RegistrationService,
    private readonly logins: BrowserLogin,
    private readonly entrance: Entrance,
    private readonly cookies: FlowCookies,
  ) {}

  /** Errors: those of a registration, `identity_taken`, `temp_token_invalid`. */
  async register(
    ticket: BindTicket,
    { temp_token: _token, ...body }: BindRegisterDto,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<LoggedInDto> {
    const loggedIn = await this.tickets.attempt(ticket, () => this.found(ticket, body, request));
    await this.cookies.clearTicket(request, reply);
    return this.logins.admit(loggedIn, request, reply);
  }

  /**
   * The login body, or what goes to `/api/auth/login/mfa` where the first was answered with `mfa_required`: nothing is
   * linked before both are proved. Errors: those of a login, `identity_taken`, `temp_token_invalid`.
   */
  async logIn(
    ticket: BindTicket,
    body: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<LoggedInDto | SecondStepDueDto> {
    const proof = withoutToken(body);
    const link = (user: KnownUser): Promise<void> => this.link(ticket, user);
    const work = async (): Promise<LoggedInDto | SecondStepDueDto> =>
      isJsonObject(proof) && 'method' in proof
        ? this.logins.finish(checkInput(SecondStepDto, proof), request, reply, link)
        : this.logins.login(proof, request, reply, link);
    const answer = await this.tickets.attempt(ticket, work, isDone);
    if (isDone(answer)) await this.cookies.clearTicket(request, reply);
    return answer;
  }

  private async found(
    ticket: BindTicket,
    body: Omit<BindRegisterDto, 'temp_token'>,
    request: FastifyRequest,
  ): Promise<LoggedIn> {
    const context = contextOf(request);
    const email = provenEmail(ticket);
    const method = `oauth:${ticket.provider.name}`;
    let loggedIn: LoggedIn | undefined;
    await this.registration.register({ ...accountFace(ticket), ...body }, context, {
      source: 'bind',
      ...(email && { provenEmail: email }),
      also: async ({ id: userId }) => {
        const spend = (user: KnownUser): Promise<void> => this.link(ticket, user);
        const refusal = oauthErrors.tempTokenInvalid;
        const entered = await this.entrance.enter({ userId, method, remember: true, refusal, spend }, context);
        if (isLoggedIn(entered)) loggedIn = entered;
      },
    });
    if (!loggedIn) throw new Error('An account was founded and nobody entered it');
    return loggedIn;
  }

  private async link(ticket: BindTicket, user: KnownUser): Promise<void> {
    await this.tickets.spend(ticket);
    await this.identities.link(user, ticket, oauthErrors.tempTokenInvalid);
  }
}

/** Whatever came: only the login can say what is wrong with it, and no rule of a DTO has looked at it before. */
function withoutToken(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  const { temp_token: _token, ...proof } = body;
  return proof;
}

const isDone = (answer: LoggedInDto | SecondStepDueDto): boolean => 'session' in answer;
