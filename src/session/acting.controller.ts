import { Delete, HttpCode, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiController, Public } from '../platform/access';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/http/problems';
import { ActingCookiesService } from './acting-cookies.service';
import { RefreshedDto, sessionDto } from './store/dto/session.dto';
import { sessionErrors } from './store/session.errors';

@ApiTags('Sessions')
@ApiController('auth/act-as')
export class ActingController {
  constructor(private readonly cookies: ActingCookiesService) {}

  // Public: the cookies are judged here, so that it also works after the acting session has ended.
  @Delete()
  @Public()
  @ApiSecurity('actor')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Stop acting as another user',
    description:
      'Ends the acting session of this browser and returns to the own session, with new cookies. Also after the acting session has expired. If the own session has ended too, deletes the cookies.',
  })
  @ApiOkResponse({ type: RefreshedDto })
  @ProblemResponses(
    platformErrors.unauthenticated,
    sessionErrors.tokenExpired,
    sessionErrors.sessionRevoked,
    sessionErrors.refreshReused,
    platformErrors.notFound,
    platformErrors.rateLimited,
  )
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<RefreshedDto> {
    const { session, accessEnd } = await this.cookies.end(request, reply);
    return { session: sessionDto(session, session.id), access_expires_at: accessEnd.toISOString() };
  }
}
