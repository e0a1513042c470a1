import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query, Req } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import {
  accessErrors,
  ApiController,
  CurrentCaller,
  InOrganization,
  OwnedBy,
  RequirePermission,
} from '../platform/access';
import type { Caller } from '../platform/context';
import { contextOf } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { IdPipe } from '../platform/http/input';
import { PageOrCursorQueryDto } from '../platform/lists';
import { ProblemResponses } from '../platform/http/problems';
import { rbacErrors, organizationMemberPermissions } from '../rbac';
import {
  AddOrganizationMemberDto,
  ChangeOrganizationMemberDto,
  OrganizationMemberCursorPageDto,
  OrganizationMemberDetailDto,
  organizationMemberDetailDto,
  OrganizationMemberDto,
  organizationMemberDto,
  OrganizationMemberPageDto,
} from './dto/organization-members.dto';
import { OrganizationMembersService } from './organization-members.service';
import { MemberRule, OwnMembershipRule } from './organization-owners';

const COVER =
  'The permission may be held there only. The caller must hold, everywhere or there, what the member holds there before and after the change.';
const GIVING =
  'To give a role of the service that grants no more than new users get, the caller must hold `role:update` everywhere.';

@ApiTags('Organizations')
@ApiController('organization/:id/members')
@InOrganization({ parameter: 'id' })
export class OrganizationMembersController {
  constructor(private readonly members: OrganizationMembersService) {}

  @Get()
  @RequirePermission(organizationMemberPermissions.read)
  @OwnedBy(MemberRule)
  @ApiOperation({
    summary: 'List the members of an organization',
    description:
      'Sorted by username. Pages by number or by cursor. Members without the permission see only themselves.',
  })
  @ApiExtraModels(OrganizationMemberPageDto, OrganizationMemberCursorPageDto)
  @ApiOkResponse({
    schema: {
      oneOf: [
        { $ref: getSchemaPath(OrganizationMemberPageDto) },
        { $ref: getSchemaPath(OrganizationMemberCursorPageDto) },
      ],
    },
  })
  @ProblemResponses(platformErrors.notFound)
  async list(
    @Param('id', IdPipe) id: string,
    @Query() query: PageOrCursorQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<OrganizationMemberPageDto | OrganizationMemberCursorPageDto> {
    const { origin } = contextOf(request).origin;
    const { items, ...page } = await this.members.list(caller, id, query);
    return { items: items.map((member) => organizationMemberDto(member, origin)), ...page };
  }

  @Post()
  @RequirePermission(organizationMemberPermissions.update)
  @ApiOperation({
    summary: 'Add a member to an organization',
    description: `A member keeps present roles. A caller who holds the permission there only adds a \`pending\` member, whom nothing counts before the user accepts by \`POST /api/auth/me/organization/{id}/accept\`. ${COVER} ${GIVING}`,
  })
  @ApiCreatedResponse({ type: OrganizationMemberDto })
  @ProblemResponses(platformErrors.notFound, rbacErrors.systemRoleProtected, accessErrors.escalationDenied)
  async add(
    @Param('id', IdPipe) id: string,
    @Body() body: AddOrganizationMemberDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<OrganizationMemberDto> {
    const { origin } = contextOf(request).origin;
    return organizationMemberDto(await this.members.add(caller, id, body), origin);
  }

  @Get(':user_id')
  @RequirePermission(organizationMemberPermissions.read)
  @OwnedBy(OwnMembershipRule)
  @ApiOperation({
    summary: 'Show a member of an organization',
    description:
      'Members need no permission to see themselves. `set_up` is what acts there for the member; it is switched off when the member is removed.',
  })
  @ApiOkResponse({ type: OrganizationMemberDetailDto })
  @ProblemResponses(platformErrors.notFound)
  async show(
    @Param('id', IdPipe) id: string,
    @Param('user_id', IdPipe) userId: string,
    @Req() request: FastifyRequest,
  ): Promise<OrganizationMemberDetailDto> {
    const { origin } = contextOf(request).origin;
    return organizationMemberDetailDto(await this.members.showInDetail(id, userId), origin);
  }

  @Patch(':user_id')
  @RequirePermission(organizationMemberPermissions.update)
  @ApiOperation({ summary: 'Replace the roles of a member in an organization', description: `${COVER} ${GIVING}` })
  @ApiOkResponse({ type: OrganizationMemberDto })
  @ProblemResponses(
    platformErrors.notFound,
    rbacErrors.systemRoleProtected,
    accessErrors.escalationDenied,
    platformErrors.reauthenticationRequired,
    rbacErrors.lastAdmin,
  )
  async change(
    @Param('id', IdPipe) id: string,
    @Param('user_id', IdPipe) userId: string,
    @Body() body: ChangeOrganizationMemberDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<OrganizationMemberDto> {
    const { origin } = contextOf(request).origin;
    return organizationMemberDto(await this.members.change(caller, id, userId, body.role_ids), origin);
  }

  @Delete(':user_id')
  @RequirePermission(organizationMemberPermissions.update)
  @HttpCode(204)
  @ApiOperation({
    summary: 'Remove a member from an organization',
    description: `With the roles there. What the member has set up there is switched off: rules of domains, invitations and applications. ${COVER} A pending member needs no cover.`,
  })
  @ApiNoContentResponse()
  @ProblemResponses(
    platformErrors.notFound,
    accessErrors.escalationDenied,
    platformErrors.reauthenticationRequired,
    rbacErrors.lastAdmin,
  )
  remove(
    @Param('id', IdPipe) id: string,
    @Param('user_id', IdPipe) userId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    return this.members.remove(caller, id, userId);
  }
}
