import { Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, CurrentCaller, Authenticated } from '../platform/access';
import type { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { IdPipe } from '../platform/http/input';
import { ProblemResponses } from '../platform/http/problems';
import { RevokedDto, sessionDto, SessionListDto } from './store/dto/session.dto';
import { SessionsService } from './store/sessions.service';

@ApiTags('Sessions')
@ApiController('auth/sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @Authenticated()
  @ApiOperation({ summary: 'List own sessions', description: 'Newest activity first.' })
  @ApiOkResponse({ type: SessionListDto })
  async list(@CurrentCaller() caller: Caller): Promise<SessionListDto> {
    const sessions = await this.sessions.list(caller.userId);
    return { items: sessions.map((session) => sessionDto(session, caller.sessionId)) };
  }

  @Delete(':id')
  @Authenticated()
  @HttpCode(204)
  @ApiOperation({ summary: 'End an own session' })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound)
  revoke(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.sessions.revoke(id, caller.userId);
  }

  @Delete()
  @Authenticated()
  @ApiOperation({ summary: 'End all own sessions except this one' })
  @ApiOkResponse({ type: RevokedDto })
  async revokeOthers(@CurrentCaller() caller: Caller): Promise<RevokedDto> {
    return { revoked: await this.sessions.revokeAll(caller.userId, { keep: caller.sessionId }) };
  }
}
