import { Body, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiController, PreValidationGuards, Public } from '../platform/access';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/http/problems';
import { usersErrors } from '../users';
import { CodeBrowsersService } from './code-browsers.service';
import { CodeRequestDto, CodeSentDto, codeSentDto } from './code.dto';
import { codeErrors } from './codes.errors';
import { CodesGuard } from './codes.guard';

@ApiTags('Authentication')
@ApiController('auth/codes')
export class CodesController {
  constructor(private readonly browsers: CodeBrowsersService) {}

  @Post()
  @Public()
  @PreValidationGuards(CodesGuard)
  @ApiSecurity({})
  @ApiSecurity('session')
  @ApiSecurity('bearer')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a verification code',
    description:
      'For `login` and `reset_password` the response does not reveal whether an account has the target, and a code is sent only if one does. `bind` requires a login, and the code is valid in that session only. `register` fails while registration is disabled. The response sets a cookie, with which this browser can use the code whatever others try.',
  })
  @ApiAcceptedResponse({ type: CodeSentDto })
  @ProblemResponses(
    usersErrors.registrationDisabled,
    codeErrors.verificationDisabled,
    codeErrors.codeDailyLimitReached,
    codeErrors.codeResendTooSoon,
    platformErrors.rateLimited,
    codeErrors.deliveryFailed,
  )
  async send(
    @Body() body: CodeRequestDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CodeSentDto> {
    return codeSentDto(await this.browsers.send(body, request, reply));
  }
}
