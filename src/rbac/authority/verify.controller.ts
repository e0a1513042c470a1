import { Get, HttpCode, Query, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { accessErrors, ApiController, CurrentCaller, Authenticated, rejectWhileActing } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/http/problems';
import { VerifyQueryDto } from '../permission/dto/permission-check.dto';
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
    summary: 'Authenticate a request for a proxy',
    description:
      'For nginx `auth_request`, Traefik and Envoy. With `permission`, also requires that permission, within the organization that `X-Organization-Id` names.',
  })
  @ApiNoContentResponse({
    description: 'The request is allowed; the headers name the user, and there is no body',
    headers: {
      'X-User-Id': text,
      'X-Username': text,
      'X-Session-Id': text,
      'X-Actor-Id': { ...text, description: 'The user who acts as this one; absent for an ordinary session' },
      'X-Actor-Username': text,
    },
  })
  @ProblemResponses(platformErrors.permissionDenied, accessErrors.actingRestricted)
  async verify(
    @Query() query: VerifyQueryDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    // The proxy does not say whether the request changes anything.
    rejectWhileActing(caller, { allowedWhileActing: query.acting === 'allow', recentFactors: undefined }, false);
    await this.checks.require(caller, query);
    const { userId, username, sessionId, actor } = caller;
    void reply.headers({ 'x-user-id': userId, 'x-username': username, 'x-session-id': sessionId });
    if (actor) void reply.headers({ 'x-actor-id': actor.userId, 'x-actor-username': actor.username });
  }
}
