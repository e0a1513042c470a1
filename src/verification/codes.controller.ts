import { Body, HttpCode, Post, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiController, PreValidationGuards, Public } from '../platform/access';
import { contextOf } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/problems';
import { usersErrors } from '../users';
import { CodeRequestDto, CodeSentDto, codeSentDto } from './code.dto';
import { codeErrors } from './codes.errors';
import { CodesGuard } from './codes.guard';
import { CodesService } from './codes.service';

@ApiTags('Authentication')
@ApiController('auth/codes')
export class CodesController {
  constructor(private readonly codes: CodesService) {}

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
      'For `login` and `reset_password` the response does not reveal whether an account has the target, and a code is sent only if one does. `bind` requires a login, and the code is valid in that session only. `register` fails while registration is disabled.',
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
  async send(@Body() body: CodeRequestDto, @Req() request: FastifyRequest): Promise<CodeSentDto> {
    return codeSentDto(await this.codes.send(body, contextOf(request)));
  }
}
