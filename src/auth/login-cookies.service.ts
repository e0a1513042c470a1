import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AttemptOrigin, DeviceOwner, isLoggedIn, KnownDevicesService, LoggedIn, LoginResult } from '../login';
import { MfaSessionCredentials } from '../mfa';
import { contextOf } from '../platform/context';
import { BrowserSecretsService } from '../platform/http';
import { Log } from '../platform/logging';
import { PermissionsService } from '../rbac';
import { sessionDto, SessionCookiesService, SessionsService } from '../session';
import { LoggedInDto, MfaRequiredDto } from './dto/login-result.dto';
import { userInfoWithPermsDto } from './dto/user.dto';
import { PasswordChanged } from './password.service';

const DEVICE_SECONDS = 400 * 86_400;
/** As long as the MFA session lasts. */
const MFA_SECONDS = 300;
const PASSKEY = { kind: 'passkey' };
/** As long as the challenge of a passkey lasts. */
const PASSKEY_SECONDS = 300;

/** For controllers: reads what a browser's cookies prove at a login, and sets what the browser keeps of it. */
@Injectable()
export class LoginCookiesService {
  constructor(
    private readonly cookies: SessionCookiesService,
    private readonly sessions: SessionsService,
    private readonly devices: KnownDevicesService,
    private readonly secrets: BrowserSecretsService,
    private readonly permissions: PermissionsService,
    private readonly log: Log,
  ) {}

  /** Where an attempt comes from. */
  async originOf(request: FastifyRequest): Promise<AttemptOrigin> {
    const devices = await this.cookies.read(request, 'device');
    return {
      request: contextOf(request),
      cookies: {
        recognize: (owner) => this.devices.recognize(devices, owner),
        trustTokens: await this.cookies.read(request, 'trusted'),
        passkeySecrets: await this.secrets.hashes(request, PASSKEY.kind),
      },
    };
  }

  /** The token from the body, or else from the cookie. */
  async mfaCredentials(token: string | undefined, request: FastifyRequest): Promise<MfaSessionCredentials> {
    return { token, cookies: await this.cookies.read(request, 'mfa') };
  }

  /** Binds the challenge of a passkey to the browser. Returns the hash of the secret that the browser receives. */
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

  /** A password change ends known devices: the one on which the owner changed it stays known. */
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
      // The password is changed already: an error would make its owner go on with the old one.
      this.log.warn('Could not keep a browser known to an account', { err: error });
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
    const accessEnd = await this.cookies.write(request, reply, session);
    await this.setDeviceCookie(user, session.remember, request, reply);
    return {
      user: userInfoWithPermsDto(user, await this.permissions.of(user.id)),
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
