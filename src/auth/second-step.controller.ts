import { Body, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mfaErrors } from '../mfa';
import { ApiController, Public } from '../platform/access';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/problems';
import { lockoutErrors } from '../session';
import { authErrors } from './auth.errors';
import { BrowserLogin } from './browser-login';
import { LoggedInDto } from './dto/login.dto';
import { SecondStepChoicesDto, SecondStepDto, SecondStepOptionsDto } from './dto/second-step.dto';

@ApiTags('Authentication')
@ApiController('auth/login/mfa')
@Public()
export class SecondStepController {
  constructor(private readonly logins: BrowserLogin) {}

  @Post()
  @ApiSecurity('mfa')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({
    summary: 'Prove the second factor of a login',
    description: 'After a login that was answered with `mfa_required`; opens the session and sets its cookies.',
  })
  @ApiOkResponse({ type: LoggedInDto })
  @ProblemResponses(
    mfaErrors.codeInvalid,
    mfaErrors.invalidCredentials,
    mfaErrors.tempTokenInvalid,
    authErrors.loginMethodDisabled,
    authErrors.userDisabled,
    lockoutErrors.accountLocked,
    platformErrors.rateLimited,
  )
  finish(
    @Body() body: SecondStepDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoggedInDto> {
    return this.logins.finish(body, request, reply);
  }

  @Post('options')
  @ApiSecurity('mfa')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({
    summary: 'Begin to prove the second factor by a passkey',
    description: 'For `navigator.credentials.get` (WebAuthn §5.5), good once, for five minutes.',
  })
  @ApiOkResponse({
    description: 'Options for `navigator.credentials.get`',
    schema: { type: 'object', additionalProperties: true },
  })
  @ProblemResponses(mfaErrors.tempTokenInvalid, platformErrors.notFound, platformErrors.rateLimited)
  passkeyOptions(@Body() body: SecondStepOptionsDto, @Req() request: FastifyRequest): Promise<object> {
    return this.logins.passkeyOptions(body.mfa_token, request);
  }

  @Get()
  @ApiSecurity('mfa')
  @ApiOperation({
    summary: 'What the second step may be made with',
    description: 'For a browser that was sent here from a login elsewhere: the token is that of the cookie.',
  })
  @ApiOkResponse({ type: SecondStepChoicesDto })
  @ProblemResponses(mfaErrors.tempTokenInvalid)
  choices(@Req() request: FastifyRequest): Promise<SecondStepChoicesDto> {
    return this.logins.choices(request);
  }
}
