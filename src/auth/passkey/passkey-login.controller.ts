import { HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Passkeys } from '../../mfa';
import { ApiController, Public } from '../../platform/access';
import { contextOf } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/problems';

@ApiTags('Authentication')
@ApiController('auth/login/passkey')
export class PasskeyLoginController {
  constructor(private readonly passkeys: Passkeys) {}

  @Post('options')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Begin a login by passkey',
    description:
      'For `navigator.credentials.get` (WebAuthn §5.5), good once, for five minutes; its answer goes to the login as `{ type: "passkey", response }`.',
  })
  @ApiOkResponse({
    description: 'Options for `navigator.credentials.get`',
    schema: { type: 'object', additionalProperties: true },
  })
  @ProblemResponses(platformErrors.validationFailed, platformErrors.rateLimited)
  options(@Req() request: FastifyRequest): Promise<object> {
    return this.passkeys.loginOptions(contextOf(request));
  }
}
