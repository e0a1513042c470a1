import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { accessErrors, ApiController, CurrentCaller, InOrganization, RequirePermission } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { IdPipe } from '../../platform/http/input';
import { ProblemResponses } from '../../platform/http/problems';
import { rbacErrors } from '../grants/rbac.errors';
import { ChangeGroupDto, CreateGroupDto, GroupDto, groupDto, GroupPageDto, ListGroupsDto } from './dto/group.dto';
import { GroupAdminService } from './group-admin.service';
import { GroupViewsService } from './group-views.service';
import { groupErrors } from './groups.errors';
import { groupPermissions } from './groups.permissions';

const THERE =
  'For groups of an organization, the permission may be held there only: then the header `X-Organization-Id` must name it.';
const COVER = 'The caller must hold the permissions that the group gives to its members, before and after the change.';
const GIVING =
  'A role of the service that grants no more than new users get, other than the default role, needs `role:update` everywhere.';

@ApiTags('Groups')
@ApiController('group')
@InOrganization()
export class GroupsController {
  constructor(
    private readonly groups: GroupAdminService,
    private readonly views: GroupViewsService,
  ) {}

  @Get()
  @RequirePermission(groupPermissions.read)
  @ApiOperation({
    summary: 'List the groups',
    description: `Those of the service, or of the organization that \`organization_id\` names. Sorted by name. ${THERE}`,
  })
  @ApiOkResponse({ type: GroupPageDto })
  @ProblemResponses(platformErrors.notFound)
  async list(@Query() query: ListGroupsDto, @CurrentCaller() caller: Caller): Promise<GroupPageDto> {
    const { items, ...page } = await this.views.list(caller, query);
    return { items: items.map(groupDto), ...page };
  }

  @Post()
  @RequirePermission(groupPermissions.create)
  @ApiOperation({
    summary: 'Create a group',
    description: `The caller must hold the permissions of the roles and of those above the group. ${GIVING} ${THERE}`,
  })
  @ApiCreatedResponse({ type: GroupDto })
  @ProblemResponses(
    platformErrors.notFound,
    rbacErrors.systemRoleProtected,
    accessErrors.escalationDenied,
    groupErrors.groupDepth,
    rbacErrors.nameTaken,
  )
  async create(@Body() body: CreateGroupDto, @CurrentCaller() caller: Caller): Promise<GroupDto> {
    return groupDto(await this.groups.create(caller, body));
  }

  @Get(':id')
  @RequirePermission(groupPermissions.read)
  @ApiOperation({ summary: 'Show a group', description: THERE })
  @ApiOkResponse({ type: GroupDto })
  @ProblemResponses(platformErrors.notFound)
  async show(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<GroupDto> {
    return groupDto(await this.views.show(caller, id));
  }

  @Patch(':id')
  @RequirePermission(groupPermissions.update)
  @ApiOperation({
    summary: 'Change a group, its roles or its place',
    description: `A group moves with the groups below it. At most six groups are above one another. ${COVER} ${GIVING} ${THERE}`,
  })
  @ApiOkResponse({ type: GroupDto })
  @ProblemResponses(
    platformErrors.notFound,
    rbacErrors.systemRoleProtected,
    accessErrors.escalationDenied,
    groupErrors.groupCircle,
    platformErrors.reauthenticationRequired,
    groupErrors.groupDepth,
    rbacErrors.nameTaken,
    rbacErrors.lastAdmin,
  )
  async change(
    @Param('id', IdPipe) id: string,
    @Body() body: ChangeGroupDto,
    @CurrentCaller() caller: Caller,
  ): Promise<GroupDto> {
    return groupDto(await this.groups.change(caller, id, body));
  }

  @Delete(':id')
  @RequirePermission(groupPermissions.delete)
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a group',
    description: `A group with groups below it cannot be deleted. Its members lose what it gave them. ${COVER} ${THERE}`,
  })
  @ApiNoContentResponse()
  @ProblemResponses(
    platformErrors.notFound,
    accessErrors.escalationDenied,
    platformErrors.reauthenticationRequired,
    rbacErrors.inUse,
    rbacErrors.lastAdmin,
  )
  delete(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.groups.delete(caller, id);
  }
}
