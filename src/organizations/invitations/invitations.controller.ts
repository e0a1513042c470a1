import { Body, Delete, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { accessErrors, ApiController, CurrentCaller, InOrganization, RequirePermission } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { contextOf } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { IdPipe } from '../../platform/http/input';
import { PageQueryDto } from '../../platform/lists';
import { ProblemResponses } from '../../platform/http/problems';
import { rbacErrors } from '../../rbac';
import { codeErrors } from '../../verification';
import { CreateInvitationDto, InvitationDto, invitationDto, InvitationPageDto } from './dto/invitation.dto';
import { invitationErrors } from './invitations.errors';
import { invitationPermissions } from './invitations.permissions';
import { InvitationsService } from './invitations.service';

@ApiTags('Invitations')
@ApiController('organization/:id/invitations')
@InOrganization({ parameter: 'id' })
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @RequirePermission(invitationPermissions.read)
  @ApiOperation({
    summary: 'List the invitations of an organization',
    description: 'Newest first. Expired ones stay for 30 days; accepted and withdrawn ones are in the audit log only.',
  })
  @ApiOkResponse({ type: InvitationPageDto })
  @ProblemResponses(platformErrors.notFound)
  async list(@Param('id', IdPipe) id: string, @Query() query: PageQueryDto): Promise<InvitationPageDto> {
    const { items, ...page } = await this.invitations.list(id, query);
    return { items: items.map(invitationDto), ...page };
  }

  @Post()
  @RequirePermission(invitationPermissions.create)
  @ApiOperation({
    summary: 'Invite a person to an organization',
    description:
      'Sends a link to one e-mail address or phone number. It works once, with an account that has the contact or a new one. ' +
      'The caller must hold the permissions of the roles, everywhere or there, and for a role of the service that grants no more than new users get `role:update` everywhere.',
  })
  @ApiCreatedResponse({ type: InvitationDto })
  @ProblemResponses(
    platformErrors.notFound,
    rbacErrors.systemRoleProtected,
    accessErrors.escalationDenied,
    invitationErrors.alreadyInvited,
    invitationErrors.channelUnavailable,
    platformErrors.rateLimited,
    codeErrors.deliveryFailed,
  )
  async create(
    @Param('id', IdPipe) id: string,
    @Body() body: CreateInvitationDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<InvitationDto> {
    return invitationDto(await this.invitations.create(caller, id, body, contextOf(request)));
  }

  @Post(':invitation_id/resend')
  @HttpCode(200)
  @RequirePermission(invitationPermissions.create)
  @ApiOperation({
    summary: 'Send an invitation again',
    description:
      'With a new link, valid for as long as the former one was; the former one ends. Also for an expired invitation. ' +
      'The caller must hold the permissions of the roles, everywhere or there, and for a role of the service that grants no more than new users get `role:update` everywhere.',
  })
  @ApiOkResponse({ type: InvitationDto })
  @ProblemResponses(
    platformErrors.notFound,
    accessErrors.escalationDenied,
    invitationErrors.channelUnavailable,
    platformErrors.rateLimited,
    codeErrors.deliveryFailed,
  )
  async resend(
    @Param('id', IdPipe) id: string,
    @Param('invitation_id', IdPipe) invitationId: string,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<InvitationDto> {
    return invitationDto(await this.invitations.resend(caller, id, invitationId, contextOf(request)));
  }

  @Delete(':invitation_id')
  @HttpCode(204)
  @RequirePermission(invitationPermissions.delete)
  @ApiOperation({ summary: 'Withdraw an invitation', description: 'Its link stops working.' })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound)
  withdraw(@Param('id', IdPipe) id: string, @Param('invitation_id', IdPipe) invitationId: string): Promise<void> {
    return this.invitations.withdraw(id, invitationId);
  }
}
