import { Body, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AllowWhileActing, ApiController, CurrentCaller, AllowDuring, Public, Authenticated } from '../platform/access';
import type { Caller } from '../platform/context';
import { contextOf } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/http/problems';
import { ActingCookiesService } from './acting-cookies.service';
import { RefreshDto } from './dto/refresh.dto';
import { RefreshedDto, sessionDto } from './store/dto/session.dto';
import { RefreshService } from './refresh/refresh.service';
import { SessionCookiesService } from './tokens/session-cookies.service';
import { sessionErrors } from './store/session.errors';
import { SessionsService } from './store/sessions.service';

@ApiTags('Sessions')
@ApiController('auth')
export class RefreshController {
  constructor(
    private readonly refreshes: RefreshService,
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookiesService,
    private readonly acting: ActingCookiesService,
  ) {}

  @Post('refresh')
  @Public()
  @ApiSecurity('refresh')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({
    summary: 'Get new tokens for a refresh token',
    description:
      'Rotates the session and sets both cookies again. If the cookies are of two users, deletes them: `unauthenticated`.',
  })
  @ApiOkResponse({ type: RefreshedDto })
  @ProblemResponses(
    platformErrors.unauthenticated,
    sessionErrors.tokenExpired,
    sessionErrors.sessionRevoked,
    sessionErrors.refreshReused,
    platformErrors.rateLimited,
  )
  async refresh(
    @Body() body: RefreshDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RefreshedDto> {
    const tokens = body.refresh_token ? [body.refresh_token] : await this.tokensOfCookies(request, reply);
    const session = await this.refreshes.refresh(tokens, contextOf(request));
    if (body.refresh_token) await this.acting.endReplacedBy(session.id, request);
    const accessEnd = await this.cookies.write(request, reply, session);
    return { session: sessionDto(session, session.id), access_expires_at: accessEnd.toISOString() };
  }

  @Post('logout')
  @Authenticated()
  @AllowDuring('password_change', 'terms', 'attributes', 'mfa_enrolment')
  @AllowWhileActing()
  @HttpCode(204)
  @ApiOperation({
    summary: 'End this session and clear its cookies',
    description: 'While acting as another user, ends the own session, and the acting session with it.',
  })
  @ApiNoContentResponse()
  async logout(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const { sessionId, userId } = caller.actor ?? caller;
    await this.sessions.logout(sessionId, userId);
    await this.cookies.clear(request, reply);
  }

  /** Cookies of two users count for neither, and are deleted. */
  private async tokensOfCookies(request: FastifyRequest, reply: FastifyReply): Promise<string[]> {
    if (!(await this.cookies.nameTwoUsers(request))) return this.cookies.read(request, 'refresh');
    await this.cookies.clear(request, reply);
    return [];
  }
}
