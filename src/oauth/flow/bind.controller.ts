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
  PasswordLoginDto,
  RegistrationGuard,
  SecondStepDto,
  SecondStepDueDto,
} from '../../auth';
import { mfaErrors } from '../../mfa';
import {
  ApiController,
  BeforeFields,
  CurrentCaller,
  Public,
  RequireRecentLogin,
  SignedIn,
} from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/problems';
import { lockoutErrors } from '../../session';
import { usersErrors } from '../../users';
import { codeErrors } from '../../verification';
import { oauthErrors } from '../oauth.errors';
import { providerErrors } from '../providers';
import { BindTicketGuard, CurrentTicket } from './bind-ticket.guard';
import type { BindTicket } from './bind-tickets';
import { BindService } from './bind.service';
import { BindLoginTokenDto, BindOfferDto, BindRegisterDto, BindStartDto, BindStartedDto } from './dto/bind.dto';
import { upstreamProfileDto } from './dto/callback.dto';
import { LoginStart } from './login-start';

@ApiTags('Third-party login')
@ApiController('oauth/bind')
@ApiExtraModels(BindLoginTokenDto, SecondStepDto, SecondStepDueDto)
export class BindController {
  constructor(
    private readonly starts: LoginStart,
    private readonly binds: BindService,
  ) {}

  @Post('start')
  @SignedIn()
  @RequireRecentLogin({ factors: 'enrolled' })
  @HttpCode(200)
  @ApiOperation({
    summary: 'Begin to link a third-party account to the own one',
    description:
      'Sends nobody anywhere: the browser goes to the address by itself, and comes back in the same session.',
  })
  @ApiOkResponse({ type: BindStartedDto })
  @ProblemResponses(platformErrors.notFound, platformErrors.rateLimited, providerErrors.providerFailed)
  async start(
    @Body() { name, redirect }: BindStartDto,
    @CurrentCaller() binder: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BindStartedDto> {
    const address = await this.starts.begin({ name, redirect, binder }, request, reply);
    return { redirect: address.href };
  }

  @Get()
  @Public()
  @ApiSecurity('bind')
  @BeforeFields(BindTicketGuard)
  @ApiOperation({ summary: 'What is about to be linked', description: 'The temp token is that of the cookie.' })
  @ApiOkResponse({ type: BindOfferDto })
  @ProblemResponses(oauthErrors.tempTokenInvalid)
  show(@CurrentTicket() { provider, profile }: BindTicket): BindOfferDto {
    return { provider: provider.name, label: provider.label, profile: upstreamProfileDto(profile) };
  }

  @Post('register')
  @Public()
  @ApiSecurity('bind')
  @ApiSecurity({})
  @BeforeFields(BindTicketGuard, RegistrationGuard)
  @ApiOperation({ summary: 'Make an account for the third-party one, and log in to it' })
  @ApiCreatedResponse({ type: LoggedInDto })
  @ProblemResponses(
    oauthErrors.tempTokenInvalid,
    oauthErrors.identityTaken,
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
  register(
    @CurrentTicket() ticket: BindTicket,
    @Body() body: BindRegisterDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoggedInDto> {
    return this.binds.register(ticket, body, request, reply);
  }

  @Post('login')
  @Public()
  @ApiSecurity('bind')
  @ApiSecurity({})
  @HttpCode(200)
  @BeforeFields(BindTicketGuard)
  @ApiOperation({
    summary: 'Link the third-party account to one that is proven to be the own, and log in to it',
    description:
      'Where it answers with `mfa_required`, nothing is linked yet: what `POST /api/auth/login/mfa` takes comes here instead.',
  })
  @ApiBody({
    schema: {
      oneOf: [
        { allOf: [{ $ref: getSchemaPath(PasswordLoginDto) }, { $ref: getSchemaPath(BindLoginTokenDto) }] },
        { allOf: [{ $ref: getSchemaPath(SecondStepDto) }, { $ref: getSchemaPath(BindLoginTokenDto) }] },
      ],
    },
  })
  @ApiOkResponse({
    schema: { oneOf: [{ $ref: getSchemaPath(LoggedInDto) }, { $ref: getSchemaPath(SecondStepDueDto) }] },
  })
  @ProblemResponses(
    mfaErrors.codeInvalid,
    platformErrors.validationFailed,
    oauthErrors.tempTokenInvalid,
    oauthErrors.identityTaken,
    authErrors.invalidCredentials,
    codeErrors.codeInvalid,
    authErrors.loginMethodDisabled,
    authErrors.userDisabled,
    lockoutErrors.accountLocked,
    platformErrors.rateLimited,
  )
  logIn(
    @CurrentTicket() ticket: BindTicket,
    @Body() body: object,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoggedInDto | SecondStepDueDto> {
    return this.binds.logIn(ticket, body, request, reply);
  }
}
