import { Body, Delete, HttpCode, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiController, CurrentCaller, AllowDuring, RequireRecentLogin, Authenticated } from '../platform/access';
import type { Caller } from '../platform/context';
import { contextOf } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { IdPipe } from '../platform/http/input';
import { ProblemResponses } from '../platform/http/problems';
import { usersErrors } from '../users';
import { PROOF, RegisterPasskeyDto, RenamePasskeyDto } from './dto/factor-input.dto';
import { PasskeyDto, passkeyDto } from './dto/factor.dto';
import { FactorsService } from './factors.service';
import { mfaErrors } from './mfa.errors';
import { PasskeysService } from './passkeys.service';

@ApiTags('Second factors')
@ApiController('auth/passkeys')
@Authenticated()
@AllowDuring('mfa_enrolment')
@RequireRecentLogin({ factors: 'enrolled' })
export class PasskeysController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly factors: FactorsService,
  ) {}

  @Post('options')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Begin to register a passkey',
    description: `For \`navigator.credentials.create\` (WebAuthn §5.4). Valid once, for five minutes. ${PROOF}`,
  })
  @ApiOkResponse({
    description: 'Options for `navigator.credentials.create`',
    schema: { type: 'object', additionalProperties: true },
  })
  @ProblemResponses(
    platformErrors.validationFailed,
    platformErrors.reauthenticationRequired,
    platformErrors.rateLimited,
    mfaErrors.tooManyPasskeys,
  )
  options(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest): Promise<object> {
    return this.passkeys.registrationOptions(caller, contextOf(request).origin);
  }

  @Post()
  @ApiOperation({ summary: 'Register the passkey that the browser created', description: PROOF })
  @ApiCreatedResponse({ type: PasskeyDto })
  @ProblemResponses(platformErrors.reauthenticationRequired, mfaErrors.tooManyPasskeys)
  async register(
    @Body() body: RegisterPasskeyDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<PasskeyDto> {
    const { origin } = contextOf(request);
    return passkeyDto(await this.passkeys.register(caller, body.name, body.response, origin));
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Rename a passkey', description: PROOF })
  @ApiOkResponse({ type: PasskeyDto })
  @ProblemResponses(platformErrors.notFound, platformErrors.reauthenticationRequired)
  async rename(
    @Param('id', IdPipe) id: string,
    @Body() body: RenamePasskeyDto,
    @CurrentCaller() caller: Caller,
  ): Promise<PasskeyDto> {
    return passkeyDto(await this.passkeys.rename(caller, id, body.name));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a passkey', description: PROOF })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, platformErrors.reauthenticationRequired, usersErrors.lastCredential)
  delete(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.factors.deletePasskey(caller, id);
  }
}
