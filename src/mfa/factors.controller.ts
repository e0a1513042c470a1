import { Body, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import {
  accessErrors,
  ApiController,
  CurrentCaller,
  AllowDuring,
  RequireRecentLogin,
  Authenticated,
} from '../platform/access';
import { contextOf } from '../platform/context';
import type { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { IdPipe } from '../platform/http/input';
import { ProblemResponses } from '../platform/http/problems';
import { usersErrors } from '../users';
import { ConfirmTotpDto, PROOF } from './dto/factor-input.dto';
import {
  factorDto,
  FactorListDto,
  RecoveryCodesDto,
  TotpEnrolmentDto,
  trustedDeviceDto,
  TrustedDeviceListDto,
} from './dto/factor.dto';
import { FactorsService } from './factors.service';
import { mfaErrors } from './mfa.errors';
import { TotpFactorsService } from './totp-factors.service';
import { TrustedDevicesService } from './trusted-devices.service';

@ApiTags('Second factors')
@ApiController('auth/mfa')
@Authenticated()
@AllowDuring('mfa_enrolment')
export class FactorsController {
  constructor(
    private readonly factors: FactorsService,
    private readonly totp: TotpFactorsService,
    private readonly trusted: TrustedDevicesService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List own second factors' })
  @ApiOkResponse({ type: FactorListDto })
  async list(@CurrentCaller() caller: Caller): Promise<FactorListDto> {
    const { items, required } = await this.factors.list(caller);
    return { items: items.map(factorDto), required };
  }

  @Post('totp')
  @RequireRecentLogin({ factors: 'enrolled' })
  @ApiOperation({
    summary: 'Begin to set up an authenticator app',
    description: `Takes effect when a code confirms it within ten minutes. ${PROOF}`,
  })
  @ApiCreatedResponse({ type: TotpEnrolmentDto })
  @ProblemResponses(platformErrors.reauthenticationRequired, mfaErrors.mfaDisabled)
  async beginTotp(@CurrentCaller() caller: Caller): Promise<TotpEnrolmentDto> {
    const { id, secret, uri } = await this.totp.begin(caller);
    return { id, secret, otpauth_url: uri };
  }

  @Post('totp/:id/confirm')
  @RequireRecentLogin({ factors: 'enrolled' })
  @HttpCode(200)
  @ApiOperation({
    summary: 'Set up the authenticator app',
    description: `Replaces the previous app and the recovery codes. ${PROOF}`,
  })
  @ApiOkResponse({ type: RecoveryCodesDto })
  @ProblemResponses(
    platformErrors.notFound,
    platformErrors.reauthenticationRequired,
    mfaErrors.codeInvalid,
    mfaErrors.mfaDisabled,
    mfaErrors.accountLocked,
    platformErrors.rateLimited,
  )
  async confirmTotp(
    @Param('id', IdPipe) id: string,
    @Body() body: ConfirmTotpDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<RecoveryCodesDto> {
    return { recovery_codes: await this.totp.confirm(caller, id, body.code, contextOf(request)) };
  }

  @Post('recovery-codes')
  @RequireRecentLogin({ factors: 'enrolled' })
  @ApiOperation({ summary: 'Create new recovery codes', description: `Replaces the old codes. ${PROOF}` })
  @ApiCreatedResponse({ type: RecoveryCodesDto })
  @ProblemResponses(platformErrors.reauthenticationRequired, accessErrors.mfaEnrolmentRequired)
  async replaceRecoveryCodes(@CurrentCaller() caller: Caller): Promise<RecoveryCodesDto> {
    return { recovery_codes: await this.factors.replaceRecoveryCodes(caller) };
  }

  @Get('trusted-devices')
  @ApiOperation({ summary: 'List trusted browsers', description: 'Newest first.' })
  @ApiOkResponse({ type: TrustedDeviceListDto })
  async listTrusted(@CurrentCaller() caller: Caller): Promise<TrustedDeviceListDto> {
    return { items: (await this.trusted.list(caller)).map(trustedDeviceDto) };
  }

  @Delete('trusted-devices/:id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Stop trusting a browser' })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound)
  revokeTrusted(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.trusted.revoke(caller, id);
  }

  @Delete(':id')
  @RequireRecentLogin({ factors: 'enrolled' })
  @HttpCode(204)
  @ApiOperation({
    summary: 'Remove a second factor',
    description: `Removing the last app or passkey also deletes the recovery codes. Ends the trust in browsers. ${PROOF}`,
  })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, platformErrors.reauthenticationRequired, usersErrors.lastCredential)
  delete(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.factors.delete(caller, id);
  }
}
