import { Body, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
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
import { ApiController, CurrentCaller, Public, SignedIn } from '../platform/access';
import type { Caller } from '../platform/context';
import { contextOf } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/problems';
import { Permissions } from '../rbac';
import { lockoutErrors, sessionDto } from '../session';
import { usersErrors } from '../users';
import { authErrors } from './auth.errors';
import { BrowserLogin } from './browser-login';
import { ReauthenticateDto } from './dto/account.dto';
import { LoggedInDto, PasswordLoginDto } from './dto/login.dto';
import { RegisterDto, RegisteredDto } from './dto/register.dto';
import { userInfoWithPermsDto } from './dto/user.dto';
import { PasswordService } from './password/password.service';
import { RegistrationGuard } from './registration.guard';
import { RegistrationService } from './registration.service';

@ApiTags('Authentication')
@ApiController('auth')
@ApiExtraModels(PasswordLoginDto)
export class AuthController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly logins: BrowserLogin,
    private readonly passwords: PasswordService,
    private readonly permissions: Permissions,
  ) {}

  @Post('register')
  @Public()
  @UseGuards(RegistrationGuard)
  @ApiOperation({ summary: 'Make an account', description: 'No session is made: log in next.' })
  @ApiCreatedResponse({ type: RegisteredDto })
  @ProblemResponses(
    authErrors.registrationDisabled,
    usersErrors.passwordTooCommon,
    authErrors.defaultRoleUnavailable,
    authErrors.verificationDisabled,
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
  @ApiOperation({ summary: 'Log in', description: 'Opens a new session and sets its cookies.' })
  @ApiBody({ schema: { oneOf: [{ $ref: getSchemaPath(PasswordLoginDto) }], discriminator: { propertyName: 'type' } } })
  @ApiOkResponse({ type: LoggedInDto })
  @ProblemResponses(
    platformErrors.validationFailed,
    authErrors.invalidCredentials,
    authErrors.loginMethodDisabled,
    authErrors.userDisabled,
    lockoutErrors.accountLocked,
    platformErrors.rateLimited,
  )
  async login(
    @Body() body: object,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoggedInDto> {
    const { user, session, accessEnd } = await this.logins.login(body, request, reply);
    return {
      user: userInfoWithPermsDto(user, await this.permissions.of(user.id)),
      session: sessionDto(session, session.id),
      access_expires_at: accessEnd.toISOString(),
    };
  }

  @Post('reauthenticate')
  @SignedIn()
  @HttpCode(204)
  @ApiOperation({ summary: 'Prove the own identity again', description: 'The login then counts as recent.' })
  @ApiNoContentResponse()
  @ProblemResponses(authErrors.invalidCredentials, lockoutErrors.accountLocked, platformErrors.rateLimited)
  async reauthenticate(
    @Body() body: ReauthenticateDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.passwords.reauthenticate(
      caller,
      body.password,
      contextOf(request),
      await this.logins.recogniser(request),
    );
  }
}
