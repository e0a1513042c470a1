import { Body, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { accessErrors, ApiController, Authenticated, CurrentCaller, Public } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/http/problems';
import { usersErrors } from '../../users';
import { InvitationTokenDto } from './dto/invitation.dto';
import {
  InvitationAcceptedDto,
  invitationAcceptedDto,
  OpenInvitationDto,
  openInvitationDto,
} from './dto/open-invitation.dto';
import { InvitationAcceptanceService } from './invitation-acceptance.service';
import { invitationErrors } from './invitations.errors';
import { OpenInvitationsService } from './open-invitations.service';

const ALIKE =
  'The error is the same for a token that is unknown, used, withdrawn, replaced or expired, and while the inviter may not give what it gives. While the inviter is disabled, it is `invitation_suspended`.';

@ApiTags('Invitations')
@ApiController('invitation')
export class OpenInvitationsController {
  constructor(
    private readonly invitations: OpenInvitationsService,
    private readonly acceptance: InvitationAcceptanceService,
  ) {}

  @Get(':token')
  @Public()
  @ApiOperation({
    summary: 'Show an invitation',
    description: `To the holder of its token. ${ALIKE} Logs of proxies keep the token: browsers use \`POST /api/invitation/show\`.`,
  })
  @ApiOkResponse({ type: OpenInvitationDto })
  @ProblemResponses(platformErrors.notFound, invitationErrors.invitationSuspended)
  async find(@Param('token') token: string): Promise<OpenInvitationDto> {
    return openInvitationDto(await this.invitations.find(token));
  }

  @Post('show')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Show an invitation, with its token in the body',
    description: `Same as \`GET /api/invitation/{token}\`, without the token in a URL. ${ALIKE}`,
  })
  @ApiOkResponse({ type: OpenInvitationDto })
  @ProblemResponses(platformErrors.notFound, invitationErrors.invitationSuspended)
  async show(@Body() { token }: InvitationTokenDto): Promise<OpenInvitationDto> {
    return openInvitationDto(await this.invitations.find(token));
  }

  @Post('accept')
  @Authenticated()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Accept an invitation',
    description:
      'The account must have the invited contact; another one is added to the account first. A contact that is not verified ' +
      `there yet becomes verified, which requires a recent login. A member gets the roles in addition. ${ALIKE}`,
  })
  @ApiOkResponse({ type: InvitationAcceptedDto })
  @ProblemResponses(
    platformErrors.notFound,
    platformErrors.reauthenticationRequired,
    accessErrors.loginMethodNotAccepted,
    invitationErrors.invitationForAnother,
    invitationErrors.invitationSuspended,
    usersErrors.emailTaken,
    usersErrors.phoneTaken,
  )
  async accept(@Body() { token }: InvitationTokenDto, @CurrentCaller() caller: Caller): Promise<InvitationAcceptedDto> {
    return invitationAcceptedDto(await this.acceptance.accept(caller, token));
  }
}
