import { Body, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  AuthenticationService,
  EmailLoginDto,
  loginErrors,
  PasskeyLoginDto,
  PasswordLoginDto,
  SmsLoginDto,
} from './login';
import { PasskeysService } from '../mfa';
import { invitationErrors } from '../organizations/invitations';
import {
  ApiController,
  PreValidationGuards,
  CurrentCaller,
  AllowDuring,
  Public,
  Authenticated,
} from '../platform/access';
import type { Caller } from '../platform/context';
import { contextOf } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { UncheckedInput } from '../platform/http/input';
import { ProblemResponses } from '../platform/http/problems';
import { usersErrors } from '../users';
import { codeErrors } from '../verification';
import { authErrors } from './account/auth.errors';
import { LoginCookiesService } from './login-cookies.service';
import { PasswordResetDto, passwordResetDto, ReauthenticateDto, ResetPasswordDto } from './account/dto/account.dto';
import { LoggedInDto, MfaRequiredDto } from './dto/login-result.dto';
import { RegisterDto, RegisteredDto } from './registration/dto/register.dto';
import { OwnAccountService } from './account/own-account.service';
import { InvitedRegistrationService } from './registration/invited-registration.service';
import { OpenRegistrationGuard } from './registration/open-registration.guard';
import { PasswordResetService } from './password/password-reset.service';
import { ReauthenticationService } from './reauthentication.service';
import { RegistrationFieldsGuard } from './registration/registration-fields.guard';

/** Discriminated by `type`. */
const LOGIN_BODIES = { password: PasswordLoginDto, email: EmailLoginDto, sms: SmsLoginDto, passkey: PasskeyLoginDto };
const loginSchemas = Object.entries(LOGIN_BODIES).map(([type, body]) => [type, getSchemaPath(body)] as const);

@ApiTags('Authentication')
@ApiController('auth')
@ApiExtraModels(...Object.values(LOGIN_BODIES), LoggedInDto, MfaRequiredDto)
export class AuthController {
  constructor(
    private readonly registration: InvitedRegistrationService,
    private readonly authentication: AuthenticationService,
    private readonly cookies: LoginCookiesService,
    private readonly passkeys: PasskeysService,
    private readonly reauthentication: ReauthenticationService,
    private readonly resets: PasswordResetService,
    private readonly accounts: OwnAccountService,
  ) {}

  @Post('register')
  @Public()
  @PreValidationGuards(OpenRegistrationGuard, RegistrationFieldsGuard)
  @ApiOperation({
    summary: 'Create an account',
    description: 'Opens no session: log in next. With an invitation, also while registration is closed.',
  })
  @ApiCreatedResponse({ type: RegisteredDto })
  @ProblemResponses(
    usersErrors.registrationDisabled,
    platformErrors.notFound,
    usersErrors.passwordTooCommon,
    authErrors.defaultRoleUnavailable,
    codeErrors.codeInvalid,
    codeErrors.verificationDisabled,
    invitationErrors.invitationSuspended,
    usersErrors.usernameTaken,
    usersErrors.emailTaken,
    usersErrors.phoneTaken,
    platformErrors.rateLimited,
  )
  async register(@Body() body: RegisterDto, @Req() request: FastifyRequest): Promise<RegisteredDto> {
    const user = await this.registration.register(body, await this.cookies.originOf(request));
    return { user: await this.accounts.describe(user) };
  }

  @Post('login')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Log in',
    description:
      'Opens a new session and sets its cookies. When a second factor is required, returns `mfa_required` and the token for `POST /api/auth/login/mfa` instead.',
  })
  @ApiBody({
    schema: {
      oneOf: loginSchemas.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(loginSchemas) },
    },
  })
  @ApiOkResponse({
    schema: { oneOf: [{ $ref: getSchemaPath(LoggedInDto) }, { $ref: getSchemaPath(MfaRequiredDto) }] },
  })
  @ProblemResponses(
    platformErrors.validationFailed,
    loginErrors.invalidCredentials,
    codeErrors.codeInvalid,
    loginErrors.loginMethodDisabled,
    usersErrors.userDisabled,
    loginErrors.accountLocked,
    platformErrors.rateLimited,
  )
  async login(
    @Body() @UncheckedInput() body: object,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoggedInDto | MfaRequiredDto> {
    const result = await this.authentication.login(body, await this.cookies.originOf(request));
    return this.cookies.respond(result, request, reply);
  }

  @Post('login/passkey/options')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Begin a login by passkey',
    description:
      'For `navigator.credentials.get` (WebAuthn §5.5). Valid once, for five minutes, in the same browser, which a cookie identifies. Send the result to the login as `{ type: "passkey", response }`.',
  })
  @ApiOkResponse({
    description: 'Options for `navigator.credentials.get`',
    schema: { type: 'object', additionalProperties: true },
  })
  @ProblemResponses(platformErrors.validationFailed, platformErrors.rateLimited)
  passkeyOptions(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    return this.passkeys.loginOptions(contextOf(request), () => this.cookies.bindPasskeyChallenge(request, reply));
  }

  @Post('reauthenticate')
  @Authenticated()
  @AllowDuring('terms', 'attributes', 'mfa_enrolment')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Reauthenticate',
    description:
      'The password, or a code of purpose `login` sent to a verified contact, makes the login recent. ' +
      'A second factor makes the second factor recent. A passkey with user verification counts as both.',
  })
  @ApiNoContentResponse()
  @ProblemResponses(
    loginErrors.invalidCredentials,
    codeErrors.codeInvalid,
    codeErrors.verificationDisabled,
    loginErrors.accountLocked,
    platformErrors.rateLimited,
  )
  async reauthenticate(
    @Body() body: ReauthenticateDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.reauthentication.confirm(caller, body, await this.cookies.originOf(request));
  }

  @Post('reauthenticate/options')
  @Authenticated()
  @AllowDuring('terms', 'attributes', 'mfa_enrolment')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Begin a reauthentication by passkey',
    description: 'For `navigator.credentials.get` (WebAuthn §5.5). Valid once, for five minutes.',
  })
  @ApiOkResponse({
    description: 'Options for `navigator.credentials.get`',
    schema: { type: 'object', additionalProperties: true },
  })
  @ProblemResponses(platformErrors.validationFailed, platformErrors.rateLimited)
  reauthenticationOptions(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest): Promise<object> {
    return this.reauthentication.passkeyOptions(caller, contextOf(request).origin);
  }

  @Post('password/reset')
  @Public()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Choose a new password with a code',
    description:
      'Ends every session of the user and opens none. Lists the third-party accounts linked since the last reset, if ' +
      'any. `unlink_identities` unlinks them, except for a user with a second factor, who must log in to unlink ' +
      'them.',
  })
  @ApiOkResponse({ type: PasswordResetDto })
  @ApiNoContentResponse()
  @ProblemResponses(
    codeErrors.codeInvalid,
    codeErrors.verificationDisabled,
    usersErrors.passwordTooCommon,
    usersErrors.userDisabled,
    usersErrors.lastCredential,
    loginErrors.accountLocked,
    platformErrors.rateLimited,
  )
  async resetPassword(
    @Body() body: ResetPasswordDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PasswordResetDto | undefined> {
    const identities = await this.resets.reset(body, await this.cookies.originOf(request));
    if (identities.length === 0) return undefined;
    void reply.code(200);
    return passwordResetDto(identities);
  }
}
