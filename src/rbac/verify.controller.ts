import { Get, HttpCode, Query, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiController, CurrentCaller, Authenticated } from '../platform/access';
import type { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/problems';
import { VerifyQueryDto } from './dto/permission-check.dto';
import { PermissionChecksService } from './permission-checks.service';

const text = { schema: { type: 'string' as const } };

@ApiTags('Permissions')
@ApiController('auth/verify')
export class VerifyController {
  constructor(private readonly checks: PermissionChecksService) {}

  @Get()
  @Authenticated()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Ask who is logged in, for a proxy',
    description: 'For nginx `auth_request`, Traefik and Envoy; with `permission`, only a holder of it passes.',
  })
  @ApiNoContentResponse({
    description: 'Whoever asks may pass, and who it is, in headers; there is no body',
    headers: { 'X-User-Id': text, 'X-Username': text, 'X-Session-Id': text },
  })
  @ProblemResponses(platformErrors.permissionDenied)
  async verify(
    @Query() query: VerifyQueryDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.checks.require(caller, query);
    const { userId, username, sessionId } = caller;
    void reply.headers({ 'x-user-id': userId, 'x-username': username, 'x-session-id': sessionId });
  }
}
