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
import { ApiController, BeforeFields, CurrentCaller, DuringEnrolment, Public, SignedIn } from '../platform/access';
import type { Caller } from '../platform/context';
import { contextOf } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/problems';
import { Permissions } from '../rbac';
import { lockoutErrors } from '../session';
import { usersErrors } from '../users';
import { codeErrors } from '../verification';
import { authErrors } from './auth.errors';
import { BrowserLogin } from './browser-login';
import { ReauthenticateDto, ResetPasswordDto } from './dto/account.dto';
import { EmailLoginDto, LoggedInDto, PasskeyLoginDto, PasswordLoginDto, SmsLoginDto } from './dto/login.dto';
import { RegisterDto, RegisteredDto } from './dto/register.dto';
import { SecondStepDueDto } from './dto/second-step.dto';
import { userInfoWithPermsDto } from './dto/user.dto';
import { PasswordReset } from './password/password-reset.service';
import { Reauthentication } from './reauthentication.service';
import { RegistrationGuard } from './registration.guard';
import { RegistrationService } from './registration.service';

/** By the `type` that tells them apart. */
const LOGIN_BODIES = { password: PasswordLoginDto, email: EmailLoginDto, sms: SmsLoginDto, passkey: PasskeyLoginDto };
const loginSchemas = Object.entries(LOGIN_BODIES).map(([type, body]) => [type, getSchemaPath(body)] as const);

@ApiTags('Authentication')
@ApiController('auth')
@ApiExtraModels(...Object.values(LOGIN_BODIES), LoggedInDto, SecondStepDueDto)
export class AuthController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly logins: BrowserLogin,
    private readonly reauthentication: Reauthentication,
    private readonly resets: PasswordReset,
    private readonly permissions: Permissions,
  ) {}

  @Post('register')
  @Public()
  @BeforeFields(RegistrationGuard)
  @ApiOperation({ summary: 'Make an account', description: 'No session is made: log in next.' })
  @ApiCreatedResponse({ type: RegisteredDto })
  @ProblemResponses(
    usersErrors.registrationDisabled,
    usersErrors.passwordTooCommon,
    authErrors.defaultRoleUnavailable,
    codeErrors.codeInvalid,
    codeErrors.verificationDisabled,
    usersErrors.usernameTaken,
    usersErrors.emailTaken,
    usersErrors.phoneTaken,
    platformErrors.rateLimited,
  )
  async register(@Body() body: RegisterDto, @Req() request: FastifyRequest): Promise<RegisteredDto> {
    const user = await this.registration.register(body, contextOf(request));
    return { user: userInfoWithPermsDto(user, await this.permissions.of(user.id)) };
  }

  @Post('login')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Log in',
    description:
      'Opens a new session and sets its cookies; or, where a second factor is due, answers with `mfa_required` and what `POST /api/auth/login/mfa` needs.',
  })
  @ApiBody({
    schema: {
      oneOf: loginSchemas.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(loginSchemas) },
    },
  })
  @ApiOkResponse({
    schema: { oneOf: [{ $ref: getSchemaPath(LoggedInDto) }, { $ref: getSchemaPath(SecondStepDueDto) }] },
  })
  @ProblemResponses(
    platformErrors.validationFailed,
    authErrors.invalidCredentials,
    codeErrors.codeInvalid,
    authErrors.loginMethodDisabled,
    authErrors.userDisabled,
    lockoutErrors.accountLocked,
    platformErrors.rateLimited,
  )
  login(
    @Body() body: object,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoggedInDto | SecondStepDueDto> {
    return this.logins.login(body, request, reply);
  }

  @Post('reauthenticate')
  @SignedIn()
  @DuringEnrolment()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Prove the own identity again',
    description:
      'With the password, or with a code of purpose `login` sent to a verified contact: the login then counts as recent. ' +
      'With a second factor: that one does; a passkey that its owner unlocked stands for both.',
  })
  @ApiNoContentResponse()
  @ProblemResponses(
    authErrors.invalidCredentials,
    codeErrors.codeInvalid,
    codeErrors.verificationDisabled,
    lockoutErrors.accountLocked,
    platformErrors.rateLimited,
  )
  async reauthenticate(
    @Body() body: ReauthenticateDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.reauthentication.confirm(caller, body, await this.logins.guesser(request));
  }

  @Post('reauthenticate/options')
  @SignedIn()
  @DuringEnrolment()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Begin to prove the own identity by a passkey',
    description: 'For `navigator.credentials.get` (WebAuthn §5.5), good once, for five minutes.',
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
    description: 'Ends every session of the user and opens none.',
  })
  @ApiNoContentResponse()
  @ProblemResponses(
    codeErrors.codeInvalid,
    codeErrors.verificationDisabled,
    usersErrors.passwordTooCommon,
    authErrors.userDisabled,
    lockoutErrors.accountLocked,
    platformErrors.rateLimited,
  )
  async resetPassword(@Body() body: ResetPasswordDto, @Req() request: FastifyRequest): Promise<void> {
    await this.resets.reset(body, await this.logins.guesser(request));
  }
}
