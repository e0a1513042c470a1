import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AttemptOrigin, DeviceOwner, isLoggedIn, KnownDevicesService, LoggedIn, LoginResult } from './login';
import { MfaSessionCredentials } from '../mfa';
import { contextOf } from '../platform/context';
import { BrowserSecretsService } from '../platform/http';
import { Log } from '../platform/logging';
import { ActingCookiesService, sessionDto, SessionCookiesService, SessionsService } from '../session';
import { CodeBrowsersService } from '../verification';
import { LoggedInDto, MfaRequiredDto } from './dto/login-result.dto';
import { OwnAccountService } from './account/own-account.service';
import { PasswordChanged } from './password/password.service';

const DEVICE_SECONDS = 400 * 86_400;
/** The lifetime of an MFA session. */
const MFA_SECONDS = 300;
const PASSKEY = { kind: 'passkey' };
/** The lifetime of a passkey challenge. */
const PASSKEY_SECONDS = 300;

/** Reads the cookies of a login attempt and sets the cookies of its result. For controllers. */
@Injectable()
export class LoginCookiesService {
  constructor(
    private readonly cookies: SessionCookiesService,
    private readonly acting: ActingCookiesService,
    private readonly sessions: SessionsService,
    private readonly devices: KnownDevicesService,
    private readonly secrets: BrowserSecretsService,
    private readonly codes: CodeBrowsersService,
    private readonly accounts: OwnAccountService,
    private readonly log: Log,
  ) {}

  async originOf(request: FastifyRequest): Promise<AttemptOrigin> {
    const devices = await this.cookies.read(request, 'device');
    return {
      request: contextOf(request),
      cookies: {
        recognize: (owner) => this.devices.recognize(devices, owner),
        trustTokens: await this.cookies.read(request, 'trusted'),
        passkeySecrets: await this.secrets.hashes(request, PASSKEY.kind),
        codeSecrets: await this.codes.hashes(request),
      },
    };
  }

  /** The token from the body and the cookies. */
  async mfaCredentials(token: string | undefined, request: FastifyRequest): Promise<MfaSessionCredentials> {
    return { token, cookies: await this.cookies.read(request, 'mfa') };
  }

  /** Binds a passkey challenge to the browser. Returns the hash of the secret that the browser receives. */
  bindPasskeyChallenge(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    return this.secrets.draw(request, reply, PASSKEY, PASSKEY_SECONDS);
  }

  /** Sets the cookies of a login and returns its response body. */
  respond(result: LoggedIn, request: FastifyRequest, reply: FastifyReply): Promise<LoggedInDto>;
  respond(result: LoginResult, request: FastifyRequest, reply: FastifyReply): Promise<LoggedInDto | MfaRequiredDto>;
  async respond(
    result: LoginResult,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<LoggedInDto | MfaRequiredDto> {
    if (isLoggedIn(result)) return this.setSessionCookies(result, request, reply);
    const { pending, methods } = result;
    await this.cookies.writeBrowser(request, reply, 'mfa', pending.cookie, MFA_SECONDS);
    return { mfa_required: true, mfa_token: pending.token, methods: [...methods] };
  }

  /** A password change ends known devices, so this renews the cookie of the device where the owner changed it. */
  async keepDevice(
    { before, after }: PasswordChanged,
    sessionId: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    try {
      const { cookies } = await this.originOf(request);
      if (cookies.recognize(before) === undefined) return;
      await this.setDeviceCookie(after, await this.sessions.isRemembered(sessionId), request, reply);
    } catch (error) {
      // Only logged, because the password is already changed and an error would suggest that the old one still works.
      this.log.warn('Could not renew the known-device cookie', { err: error });
    }
  }

  private async setSessionCookies(
    { user, session, mfa }: LoggedIn,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<LoggedInDto> {
    if (mfa) await this.cookies.clearBrowser(request, reply, 'mfa');
    if (mfa?.trust) {
      await this.cookies.writeBrowser(request, reply, 'trusted', mfa.trust.value, mfa.trust.maxAgeSeconds);
    }
    await this.acting.endReplaced(request);
    const accessEnd = await this.cookies.write(request, reply, session);
    await this.setDeviceCookie(user, session.remember, request, reply);
    return {
      user: await this.accounts.describe(user),
      session: sessionDto(session, session.id),
      access_expires_at: accessEnd.toISOString(),
    };
  }

  private async setDeviceCookie(
    owner: DeviceOwner,
    remember: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const known = this.devices.remember(await this.cookies.read(request, 'device'), owner);
    await this.cookies.writeBrowser(request, reply, 'device', known, remember ? DEVICE_SECONDS : undefined);
  }
}
