import { Body, Delete, Get, HttpCode, Param, Post, Put, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { accessErrors, ApiController, CurrentCaller, RequirePermission, RequireRecentLogin } from '../platform/access';
import type { Caller } from '../platform/context';
import { contextOf } from '../platform/context';
import { factorDto, FactorListDto } from '../mfa';
import { platformErrors } from '../platform/errors';
import { IdPipe } from '../platform/http/input';
import { ProblemResponses } from '../platform/http/problems';
import { rbacErrors, userPermissions } from '../rbac';
import { sessionDto, SessionListDto } from '../session';
import { usersErrors } from '../users';
import { codeErrors, CodeSentDto, codeSentDto } from '../verification';
import { AccountAccessService } from './account-access.service';
import { AccountPasswordService } from './account-password.service';
import { AccountSessionsService } from './account-sessions.service';
import { CONTAINMENT, COVER, SetPasswordDto } from './dto/user-input.dto';
import { PasswordResetRequestsService } from './password-reset-requests.service';

@ApiTags('User administration')
@ApiController('user/:id')
@RequirePermission(userPermissions.administer)
export class UserAccessController {
  constructor(
    private readonly access: AccountAccessService,
    private readonly sessions: AccountSessionsService,
    private readonly passwords: AccountPasswordService,
    private readonly resets: PasswordResetRequestsService,
  ) {}

  @Get('sessions')
  @ApiOperation({ summary: 'List the sessions of a user', description: 'Newest activity first.' })
  @ApiOkResponse({ type: SessionListDto })
  @ProblemResponses(platformErrors.notFound)
  async listSessions(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<SessionListDto> {
    const sessions = await this.sessions.list(id);
    return { items: sessions.map((session) => sessionDto(session, caller.sessionId)) };
  }

  @Delete('sessions')
  @HttpCode(204)
  @ApiOperation({ summary: 'End all sessions of a user', description: CONTAINMENT })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied)
  async revokeSessions(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    await this.sessions.revokeAll(caller, id);
  }

  @Delete('sessions/:sid')
  @HttpCode(204)
  @ApiOperation({ summary: 'End one session of a user', description: CONTAINMENT })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied)
  revokeSession(
    @Param('id', IdPipe) id: string,
    @Param('sid', IdPipe) sessionId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    return this.sessions.revoke(caller, id, sessionId);
  }

  @Put('password')
  @RequireRecentLogin()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Set the password of a user',
    description: `For the own password, use \`PUT /api/auth/me/password\`. Ends the user's sessions. ${COVER}`,
  })
  @ApiNoContentResponse()
  @ProblemResponses(usersErrors.passwordTooCommon, platformErrors.notFound, accessErrors.escalationDenied)
  setPassword(
    @Param('id', IdPipe) id: string,
    @Body() body: SetPasswordDto,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    return this.passwords.set(caller, id, body);
  }

  @Post('password-reset')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a password reset code to a user',
    description: `Sent to the verified e-mail or, without one, to the verified phone of the user, who then sets the password. ${CONTAINMENT}`,
  })
  @ApiAcceptedResponse({ type: CodeSentDto })
  @ProblemResponses(
    platformErrors.notFound,
    accessErrors.escalationDenied,
    usersErrors.userDisabled,
    codeErrors.noVerifiedContact,
    codeErrors.verificationDisabled,
    codeErrors.codeDailyLimitReached,
    codeErrors.codeResendTooSoon,
    platformErrors.rateLimited,
  )
  async requestPasswordReset(
    @Param('id', IdPipe) id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<CodeSentDto> {
    return codeSentDto(await this.resets.request(caller, id, contextOf(request)));
  }

  @Get('mfa')
  @ApiOperation({ summary: 'List the second factors of a user' })
  @ApiOkResponse({ type: FactorListDto })
  @ProblemResponses(platformErrors.notFound)
  async listFactors(@Param('id', IdPipe) id: string): Promise<FactorListDto> {
    const { items, required } = await this.access.listFactors(id);
    return { items: items.map(factorDto), required };
  }

  @Delete('mfa')
  @RequireRecentLogin()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Remove all second factors of a user',
    description: `Includes passkeys, recovery codes and trusted devices. Ends the sessions and notifies the user. Rejected when the last administrator could no longer log in. ${COVER}`,
  })
  @ApiNoContentResponse()
  @ProblemResponses(
    platformErrors.notFound,
    accessErrors.escalationDenied,
    platformErrors.reauthenticationRequired,
    rbacErrors.lastAdmin,
  )
  resetFactors(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.access.resetFactors(caller, id);
  }

  @Delete('lock')
  @HttpCode(204)
  @ApiOperation({ summary: 'Unlock a user after too many failed logins', description: CONTAINMENT })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied)
  unlock(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.access.unlock(caller, id);
  }
}
