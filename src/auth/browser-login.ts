import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PendingClaim } from '../mfa';
import { contextOf } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { Log } from '../platform/logging';
import { isJsonObject } from '../platform/text';
import { Permissions } from '../rbac';
import { DeviceOwner, KnownDevices, sessionDto, SessionCookies, Sessions } from '../session';
import { LoggedInDto } from './dto/login.dto';
import { SecondStepChoicesDto, SecondStepDto, SecondStepDueDto } from './dto/second-step.dto';
import { userInfoWithPermsDto } from './dto/user.dto';
import { Entered, isLoggedIn, LoggedIn, SecondStepDue } from './entrance';
import { Guesser } from './guesses';
import { PasswordChanged } from './password/password.service';
import { AlsoAtLogin, BrowserTraces, LoginService, RecogniseDevice } from './login.service';
import { SecondStep } from './second-step.service';

const DEVICE_SECONDS = 400 * 86_400;
/** As long as the pending login lasts. */
const SECOND_STEP_SECONDS = 300;

/** A login over HTTP: what the browser brings is read, what it is to keep is set. */
@Injectable()
export class BrowserLogin {
  constructor(
    private readonly logins: LoginService,
    private readonly secondStep: SecondStep,
    private readonly cookies: SessionCookies,
    private readonly sessions: Sessions,
    private readonly devices: KnownDevices,
    private readonly permissions: Permissions,
    private readonly log: Log,
  ) {}

  async login(
    body: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    also?: AlsoAtLogin,
  ): Promise<LoggedInDto | SecondStepDueDto> {
    if (!isJsonObject(body)) throw platformErrors.validationFailed({ fields: [{ field: '', code: 'type_object' }] });
    const browser = await this.traces(request);
    return this.welcome(await this.logins.login(body, contextOf(request), browser, also), request, reply);
  }

  /** The second step of a login that was answered with `mfa_required`. */
  async finish(
    body: SecondStepDto,
    request: FastifyRequest,
    reply: FastifyReply,
    also?: AlsoAtLogin,
  ): Promise<LoggedInDto> {
    const { mfa_token: token, method, code, response, trust_device: trustDevice = false } = body;
    const claim = { method, code, response, trustDevice, pending: await this.pendingClaim(token, request) };
    const done = await this.secondStep.finish(claim, contextOf(request), await this.traces(request), also);
    await this.cookies.clearBrowser(request, reply, 'mfa');
    if (done.trust) {
      await this.cookies.writeBrowser(request, reply, 'trusted', done.trust.value, done.trust.maxAgeSeconds);
    }
    return this.admit(done, request, reply);
  }

  /** What the second step may be made with, for the browser that made the first. */
  async choices(request: FastifyRequest): Promise<SecondStepChoicesDto> {
    return { methods: await this.secondStep.methodsOf(await this.pendingClaim(undefined, request)) };
  }

  async passkeyOptions(token: string | undefined, request: FastifyRequest): Promise<object> {
    return this.secondStep.passkeyOptions(await this.pendingClaim(token, request), contextOf(request));
  }

  /** Sets the cookies of the new session, or of the login whose second step is awaited, and answers with it. */
  async welcome(
    entered: Entered,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<LoggedInDto | SecondStepDueDto> {
    return isLoggedIn(entered) ? this.admit(entered, request, reply) : this.ask(entered, request, reply);
  }

  /** Whoever guesses at a secret of an account, for the lockout. */
  async guesser(request: FastifyRequest): Promise<Guesser> {
    return { request: contextOf(request), recognise: await this.recogniser(request) };
  }

  async recogniser(request: FastifyRequest): Promise<RecogniseDevice> {
    const cookies = await this.cookies.read(request, 'device');
    return (owner) => this.devices.recognise(cookies, owner);
  }

  async traces(request: FastifyRequest): Promise<BrowserTraces> {
    return {
      recognise: await this.recogniser(request),
      trustCookies: await this.cookies.read(request, 'trusted'),
    };
  }

  private async pendingClaim(token: string | undefined, request: FastifyRequest): Promise<PendingClaim> {
    return { token, cookies: await this.cookies.read(request, 'mfa') };
  }

  /** As `welcome`, where no second step is due. */
  async admit({ user, session }: LoggedIn, request: FastifyRequest, reply: FastifyReply): Promise<LoggedInDto> {
    const accessEnd = await this.cookies.write(request, reply, session);
    await this.know(user, session.remember, request, reply);
    return {
      user: userInfoWithPermsDto(user, await this.permissions.of(user.id)),
      session: sessionDto(session, session.id),
      access_expires_at: accessEnd.toISOString(),
    };
  }

  /** What makes a browser known ends with the password: the one in which the owner chose the next stays known. */
  async stayKnown(
    { before, after }: PasswordChanged,
    sessionId: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    try {
      const recognise = await this.recogniser(request);
      if (recognise(before) === undefined) return;
      await this.know(after, await this.sessions.isRemembered(sessionId), request, reply);
    } catch (error) {
      // The password is changed by now: whoever was told otherwise would go on with the former one.
      this.log.warn('A browser could not be kept known to an account', { err: error });
    }
  }

  private async know(
    owner: DeviceOwner,
    remember: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const known = this.devices.remember(await this.cookies.read(request, 'device'), owner);
    await this.cookies.writeDevice(request, reply, known, remember ? DEVICE_SECONDS : undefined);
  }

  private async ask(
    { pending, methods }: SecondStepDue,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SecondStepDueDto> {
    await this.cookies.writeBrowser(request, reply, 'mfa', pending.cookie, SECOND_STEP_SECONDS);
    return { mfa_required: true, mfa_token: pending.token, methods: [...methods] };
  }
}
