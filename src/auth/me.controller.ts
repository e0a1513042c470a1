import { Body, Get, Header, HttpCode, Patch, Put, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AvatarUploadService, UploadAvatarDto } from '../users/avatars';
import { accessErrors, ApiController, CurrentCaller, AllowDuring, Authenticated } from '../platform/access';
import type { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { BodyLimit, EVENT_STREAM, eventStreamFile, RequireKnownOrigin } from '../platform/http';
import { ProblemResponses } from '../platform/http/problems';
import type { MaybePromise } from '../platform/util';
import { loginErrors } from './login';
import { usersErrors } from '../users';
import { codeErrors } from '../verification';
import { AccountStreamsService } from './account/account-streams.service';
import { authErrors } from './account/auth.errors';
import { LoginCookiesService } from './login-cookies.service';
import { ChangePasswordDto, ChangeProfileDto } from './account/dto/account.dto';
import { UserInfoWithPermsDto } from './account/dto/user.dto';
import { OwnAccountService } from './account/own-account.service';
import { PasswordService } from './password/password.service';
import { ProfileService } from './account/profile.service';

/** The value that Fastify sets. */
const JSON_TYPE = 'application/json; charset=utf-8';
/** For the largest picture in base64. */
const AVATAR_BODY_BYTES = 160 * 1024;

@ApiTags('Own account')
@ApiController('auth/me')
export class MeController {
  constructor(
    private readonly profiles: ProfileService,
    private readonly passwords: PasswordService,
    private readonly accounts: OwnAccountService,
    private readonly logins: LoginCookiesService,
    private readonly streams: AccountStreamsService,
    private readonly avatars: AvatarUploadService,
  ) {}

  @Get()
  @Authenticated()
  @AllowDuring('password_change', 'terms', 'attributes', 'mfa_enrolment')
  @ApiOperation({ summary: 'Show the own account with its permissions' })
  @ApiOkResponse({ type: UserInfoWithPermsDto })
  @Header('content-type', JSON_TYPE)
  show(@CurrentCaller() caller: Caller): MaybePromise<string> {
    return this.accounts.json(caller);
  }

  @Get('stream')
  @RequireKnownOrigin()
  @Authenticated()
  @AllowDuring('password_change', 'terms', 'attributes', 'mfa_enrolment')
  @ApiOperation({
    summary: 'Follow the own account with its permissions',
    description:
      'Server-sent events: `account` at once and within a second after each change, with what `GET /api/auth/me` returns; `ended` with the `code` of the error when the session ends; `heartbeat` every 15 seconds. At most 10 per user and process, for at most 12 hours.',
  })
  @ApiProduces(EVENT_STREAM)
  @ApiOkResponse({ schema: { type: 'string' }, description: 'The events, until the session ends' })
  @ProblemResponses(platformErrors.csrfRejected, platformErrors.rateLimited)
  async follow(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return eventStreamFile(await this.streams.open(caller, request), reply);
  }

  @Patch()
  @Authenticated()
  @AllowDuring('attributes')
  @ApiOperation({
    summary: 'Change the own profile',
    description:
      'null clears an optional field. While attributes are required (403 `attributes_required`), only they can be changed. A code of purpose `bind` verifies a contact and removes it from accounts that have it unverified. Verifying a contact or changing a verified one needs a recent login, and a login that an organization of the user accepts which limits its login methods and has a provider or has proved the domain.',
  })
  @ApiOkResponse({ type: UserInfoWithPermsDto })
  @ProblemResponses(
    usersErrors.emailTaken,
    usersErrors.phoneTaken,
    codeErrors.codeInvalid,
    codeErrors.verificationDisabled,
    usersErrors.lastCredential,
    platformErrors.rateLimited,
    platformErrors.reauthenticationRequired,
    accessErrors.loginMethodNotAccepted,
  )
  async change(@Body() body: ChangeProfileDto, @CurrentCaller() caller: Caller): Promise<UserInfoWithPermsDto> {
    return this.accounts.describe(await this.profiles.change(caller, body));
  }

  @Put('avatar')
  @Authenticated()
  @BodyLimit(AVATAR_BODY_BYTES)
  @ApiOperation({
    summary: 'Upload a picture as the own avatar',
    description:
      'Replaces the former avatar, and deletes it if it was uploaded. Anyone who knows the address of the picture can see it.',
  })
  @ApiOkResponse({ type: UserInfoWithPermsDto })
  @ProblemResponses(platformErrors.rateLimited)
  async uploadAvatar(
    @Body() { picture }: UploadAvatarDto,
    @CurrentCaller() caller: Caller,
  ): Promise<UserInfoWithPermsDto> {
    return this.accounts.describe(await this.avatars.upload(caller, picture));
  }

  @Put('password')
  @Authenticated()
  @AllowDuring('password_change')
  @HttpCode(204)
  @ApiOperation({ summary: 'Change the own password', description: 'Ends the other sessions.' })
  @ApiNoContentResponse()
  @ProblemResponses(
    authErrors.passwordIncorrect,
    usersErrors.passwordTooCommon,
    platformErrors.reauthenticationRequired,
    loginErrors.accountLocked,
    platformErrors.rateLimited,
  )
  async changePassword(
    @Body() body: ChangePasswordDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const changed = await this.passwords.change(caller, body, await this.logins.originOf(request));
    await this.logins.keepDevice(changed, caller.sessionId, request, reply);
  }
}
