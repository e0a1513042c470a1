import { Delete, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AllowDuring, ApiController, Authenticated, CurrentCaller, RequireRecentLogin } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { ProblemResponses } from '../../platform/http/problems';
import { rbacErrors } from '../../rbac';
import { SessionCookiesService } from '../../session';
import { DeletionRequestDto } from './dto/deletion.dto';
import { OwnAccountDeletionService } from './own-account-deletion.service';

@ApiTags('Own account')
@ApiController('auth/me')
export class MeDeletionController {
  constructor(
    private readonly deletions: OwnAccountDeletionService,
    private readonly cookies: SessionCookiesService,
  ) {}

  @Delete()
  @Authenticated()
  // A user who does not accept the terms may leave.
  @AllowDuring('terms', 'attributes')
  @RequireRecentLogin()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete the own account',
    description:
      'Ends all sessions. With `profile.deletion_grace_days` above 0, the answer is 202: the account is deleted then, and until then the user can log in and cancel the deletion.',
  })
  @ApiNoContentResponse()
  @ApiAcceptedResponse({ type: DeletionRequestDto })
  @ProblemResponses(rbacErrors.lastAdmin)
  async delete(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeletionRequestDto | undefined> {
    const dueAt = await this.deletions.request(caller);
    await this.cookies.clear(request, reply);
    if (!dueAt) return undefined;
    void reply.code(202);
    return { deletion_due_at: dueAt.toISOString() };
  }

  @Post('deletion/cancel')
  @Authenticated()
  // It only keeps what exists.
  @AllowDuring('password_change', 'terms', 'attributes', 'mfa_enrolment')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Keep the own account, whose deletion was requested',
    description: 'Changes nothing if no deletion was requested.',
  })
  @ApiNoContentResponse()
  cancel(@CurrentCaller() caller: Caller): Promise<void> {
    return this.deletions.cancel(caller);
  }
}
