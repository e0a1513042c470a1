import { Body, Param, Post, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessErrors, ApiController, CurrentCaller, RequirePermission, RequireRecentLogin } from '../platform/access';
import type { Caller } from '../platform/context';
import { contextOf } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { IdPipe } from '../platform/http/input';
import { ProblemResponses } from '../platform/http/problems';
import { actAsPermissions } from '../rbac';
import { ActingCookiesService, RefreshedDto, sessionDto, sessionErrors } from '../session';
import { usersErrors } from '../users';
import { ActingStartService } from './acting-start.service';
import { ActAsDto } from './dto/act-as.dto';
import { COVER } from './dto/user-input.dto';

@ApiTags('User administration')
@ApiController('user/:id/act-as')
export class ActAsController {
  constructor(
    private readonly acting: ActingStartService,
    private readonly cookies: ActingCookiesService,
  ) {}

  @Post()
  @RequirePermission(actAsPermissions.execute)
  @RequireRecentLogin()
  @ApiOperation({
    summary: 'Act as a user',
    description: `Opens a session as the user for at most 30 minutes and sets its cookies, if setting \`session.act_as_enabled\` is on. It can read what the user can read; changes are denied, except on routes of a host that allow them. Every audit event names both. \`DELETE /api/auth/act-as\` returns to the own session. The user is notified. Not for oneself, and not while acting. ${COVER}`,
  })
  @ApiCreatedResponse({ type: RefreshedDto })
  @ProblemResponses(
    sessionErrors.actAsDisabled,
    platformErrors.notFound,
    accessErrors.escalationDenied,
    accessErrors.actingRestricted,
    usersErrors.userDisabled,
    platformErrors.reauthenticationRequired,
    platformErrors.rateLimited,
  )
  async start(
    @Param('id', IdPipe) id: string,
    @Body() { reason }: ActAsDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RefreshedDto> {
    const session = await this.acting.start(caller, id, reason, contextOf(request));
    const accessEnd = await this.cookies.begin(request, reply, caller, session);
    return { session: sessionDto(session, session.id), access_expires_at: accessEnd.toISOString() };
  }
}
