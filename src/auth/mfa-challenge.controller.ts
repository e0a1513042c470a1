import { Body, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mfaErrors } from '../mfa';
import { ApiController, Public } from '../platform/access';
import { contextOf } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/http/problems';
import { loginErrors, MfaChallengeService } from './login';
import { usersErrors } from '../users';
import { LoggedInDto } from './dto/login-result.dto';
import { mfaChallengeAnswer, MfaChallengeDto, MfaChallengeOptionsDto, MfaMethodsDto } from './dto/mfa-challenge.dto';
import { LoginCookiesService } from './login-cookies.service';

@ApiTags('Authentication')
@ApiController('auth/login/mfa')
@Public()
export class MfaChallengeController {
  constructor(
    private readonly challenges: MfaChallengeService,
    private readonly cookies: LoginCookiesService,
  ) {}

  @Post()
  @ApiSecurity('mfa')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({
    summary: 'Verify the second factor of a login',
    description: 'Follows a login that returned `mfa_required`. Opens the session and sets its cookies.',
  })
  @ApiOkResponse({ type: LoggedInDto })
  @ProblemResponses(
    mfaErrors.codeInvalid,
    mfaErrors.invalidCredentials,
    mfaErrors.tempTokenInvalid,
    loginErrors.loginMethodDisabled,
    usersErrors.userDisabled,
    loginErrors.accountLocked,
    platformErrors.rateLimited,
  )
  async complete(
    @Body() body: MfaChallengeDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoggedInDto> {
    const answer = mfaChallengeAnswer(body, await this.cookies.mfaCredentials(body.mfa_token, request));
    const result = await this.challenges.complete(answer, await this.cookies.originOf(request));
    return this.cookies.respond(result, request, reply);
  }

  @Post('options')
  @ApiSecurity('mfa')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({
    summary: 'Begin to verify a passkey as second factor',
    description: 'For `navigator.credentials.get` (WebAuthn §5.5). Valid once, for five minutes.',
  })
  @ApiOkResponse({
    description: 'Options for `navigator.credentials.get`',
    schema: { type: 'object', additionalProperties: true },
  })
  @ProblemResponses(mfaErrors.tempTokenInvalid, platformErrors.notFound, platformErrors.rateLimited)
  async passkeyOptions(@Body() body: MfaChallengeOptionsDto, @Req() request: FastifyRequest): Promise<object> {
    const credentials = await this.cookies.mfaCredentials(body.mfa_token, request);
    return this.challenges.passkeyOptions(credentials, contextOf(request));
  }

  @Get()
  @ApiSecurity('mfa')
  @ApiOperation({
    summary: 'List the second factors for this login',
    description: 'For a browser that was redirected here by a third-party login. Uses the token in the cookie.',
  })
  @ApiOkResponse({ type: MfaMethodsDto })
  @ProblemResponses(mfaErrors.tempTokenInvalid)
  async methods(@Req() request: FastifyRequest): Promise<MfaMethodsDto> {
    return { methods: await this.challenges.methodsOf(await this.cookies.mfaCredentials(undefined, request)) };
  }
}
