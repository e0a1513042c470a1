import { Body, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  authErrors,
  LoggedInDto,
  LoginCookiesService,
  MfaChallengeDto,
  MfaRequiredDto,
  RegistrationGuard,
} from '../../../auth';
import { isLoggedIn, loginErrors, PasswordLoginDto } from '../../../auth/login';
import { mfaErrors } from '../../../mfa';
import {
  accessErrors,
  ApiController,
  PreValidationGuards,
  CurrentCaller,
  Public,
  RequireRecentLogin,
  Authenticated,
} from '../../../platform/access';
import type { Caller } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import { UncheckedInput } from '../../../platform/http/input';
import { ProblemResponses } from '../../../platform/http/problems';
import { usersErrors } from '../../../users';
import { codeErrors } from '../../../verification';
import { oauthErrors } from '../third-party-login.errors';
import { authorizationServerErrors } from '../providers';
import { BindRegistrationFieldsGuard } from './bind-registration-fields.guard';
import { AccountLinkTokenGuard, CurrentAccountLink } from './account-link-token.guard';
import type { AccountLink } from './account-link-tokens.service';
import { AccountLinkingService } from './account-linking.service';
import { BindLoginTokenDto, BindOfferDto, BindRegisterDto, BindStartDto, BindStartedDto } from './dto/bind.dto';
import { externalProfileDto } from './dto/callback.dto';
import { FlowCookiesService } from './flow-cookies.service';
import { LoginStartService } from './login-start.service';

@ApiTags('Third-party login')
@ApiController('oauth/bind')
@ApiExtraModels(BindLoginTokenDto, MfaChallengeDto, MfaRequiredDto)
export class BindController {
  constructor(
    private readonly starts: LoginStartService,
    private readonly linking: AccountLinkingService,
    private readonly logins: LoginCookiesService,
    private readonly cookies: FlowCookiesService,
  ) {}

  @Post('start')
  @Authenticated()
  @RequireRecentLogin({ factors: 'enrolled' })
  @HttpCode(200)
  @ApiOperation({
    summary: 'Start linking a third-party account to your account',
    description:
      'Does not redirect. The client sends the browser to the returned URL, and it comes back in the same session.',
  })
  @ApiOkResponse({ type: BindStartedDto })
  @ProblemResponses(
    platformErrors.notFound,
    platformErrors.rateLimited,
    authorizationServerErrors.providerFailed,
    accessErrors.loginMethodNotAccepted,
  )
  async start(
    @Body() { name, redirect }: BindStartDto,
    @CurrentCaller() linkingUser: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BindStartedDto> {
    const address = await this.starts.begin({ name, redirect, linkingUser }, request, reply);
    return { redirect: address.href };
  }

  @Get()
  @Public()
  @ApiSecurity('bind')
  @PreValidationGuards(AccountLinkTokenGuard)
  @ApiOperation({
    summary: 'Show the third-party account to link',
    description: 'Reads the temp token from the cookie.',
  })
  @ApiOkResponse({ type: BindOfferDto })
  @ProblemResponses(oauthErrors.tempTokenInvalid)
  show(@CurrentAccountLink() { provider, profile }: AccountLink): BindOfferDto {
    return { provider: provider.name, label: provider.label, profile: externalProfileDto(profile) };
  }

  @Post('register')
  @Public()
  @ApiSecurity('bind')
  @ApiSecurity({})
  @PreValidationGuards(AccountLinkTokenGuard, RegistrationGuard, BindRegistrationFieldsGuard)
  @ApiOperation({ summary: 'Register an account for the third-party account, and log in' })
  @ApiCreatedResponse({ type: LoggedInDto })
  @ProblemResponses(
    oauthErrors.tempTokenInvalid,
    oauthErrors.identityTaken,
    oauthErrors.emailMismatch,
    usersErrors.registrationDisabled,
    codeErrors.codeInvalid,
    codeErrors.verificationDisabled,
    authErrors.defaultRoleUnavailable,
    usersErrors.passwordTooCommon,
    usersErrors.usernameTaken,
    usersErrors.emailTaken,
    usersErrors.phoneTaken,
    platformErrors.rateLimited,
  )
  async register(
    @CurrentAccountLink() link: AccountLink,
    @Body() body: BindRegisterDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoggedInDto> {
    const loggedIn = await this.linking.register(link, body, await this.logins.originOf(request));
    await this.cookies.clearLinkToken(request, reply);
    return this.logins.respond(loggedIn, request, reply);
  }

  @Post('login')
  @Public()
  @ApiSecurity('bind')
  @ApiSecurity({})
  @HttpCode(200)
  @PreValidationGuards(AccountLinkTokenGuard)
  @ApiOperation({
    summary: 'Link the third-party account to your existing account, and log in',
    description:
      'After `mfa_required` nothing is linked yet. Send the body of `POST /api/auth/login/mfa` to this route then. ' +
      "An account of an organization's provider is linked only to the account with the same verified e-mail address, and " +
      'one of another provider only if the organizations that limit login methods and accept the provider accept this ' +
      'login; otherwise this is a login without a link.',
  })
  @ApiBody({
    schema: {
      oneOf: [
        { allOf: [{ $ref: getSchemaPath(PasswordLoginDto) }, { $ref: getSchemaPath(BindLoginTokenDto) }] },
        { allOf: [{ $ref: getSchemaPath(MfaChallengeDto) }, { $ref: getSchemaPath(BindLoginTokenDto) }] },
      ],
    },
  })
  @ApiOkResponse({
    schema: { oneOf: [{ $ref: getSchemaPath(LoggedInDto) }, { $ref: getSchemaPath(MfaRequiredDto) }] },
  })
  @ProblemResponses(
    mfaErrors.codeInvalid,
    platformErrors.validationFailed,
    oauthErrors.tempTokenInvalid,
    oauthErrors.identityTaken,
    loginErrors.invalidCredentials,
    codeErrors.codeInvalid,
    loginErrors.loginMethodDisabled,
    usersErrors.userDisabled,
    loginErrors.accountLocked,
    platformErrors.rateLimited,
  )
  async logIn(
    @CurrentAccountLink() link: AccountLink,
    @Body() @UncheckedInput() body: object,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoggedInDto | MfaRequiredDto> {
    const result = await this.linking.logIn(link, body, await this.logins.originOf(request), (token) =>
      this.logins.mfaCredentials(token, request),
    );
    if (isLoggedIn(result)) await this.cookies.clearLinkToken(request, reply);
    return this.logins.respond(result, request, reply);
  }
}
