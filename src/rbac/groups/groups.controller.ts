import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { accessErrors, ApiController, CurrentCaller, RequirePermission } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { IdPipe } from '../../platform/input';
import { ProblemResponses } from '../../platform/problems';
import { rbacErrors } from '../rbac.errors';
import { ChangeGroupDto, CreateGroupDto, GroupDto, groupDto, GroupPageDto, ListGroupsDto } from './dto/group.dto';
import { GroupAdminService } from './group-admin.service';
import { GroupViewsService } from './group-views.service';
import { groupErrors } from './groups.errors';
import { groupPermissions } from './groups.permissions';

const COVER = 'The caller must hold the permissions that the group gives to its members, before and after the change.';

@ApiTags('Groups')
@ApiController('group')
export class GroupsController {
  constructor(
    private readonly groups: GroupAdminService,
    private readonly views: GroupViewsService,
  ) {}

  @Get()
  @RequirePermission(groupPermissions.read)
  @ApiOperation({ summary: 'List the groups', description: 'Sorted by name.' })
  @ApiOkResponse({ type: GroupPageDto })
  async list(@Query() query: ListGroupsDto): Promise<GroupPageDto> {
    const { items, ...page } = await this.views.list(query);
    return { items: items.map(groupDto), ...page };
  }

  @Post()
  @RequirePermission(groupPermissions.create)
  @ApiOperation({
    summary: 'Create a group',
    description: 'The caller must hold the permissions of the roles and of those above the group.',
  })
  @ApiCreatedResponse({ type: GroupDto })
  @ProblemResponses(
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
  @ApiOperation({ summary: 'Show a group' })
  @ApiOkResponse({ type: GroupDto })
  @ProblemResponses(platformErrors.notFound)
  async show(@Param('id', IdPipe) id: string): Promise<GroupDto> {
    return groupDto(await this.views.find(id));
  }

  @Patch(':id')
  @RequirePermission(groupPermissions.update)
  @ApiOperation({
    summary: 'Change a group, its roles or its place',
    description: `A group moves with the groups below it. At most six groups are above one another. ${COVER}`,
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
    description: `A group with groups below it cannot be deleted. Its members lose what it gave them. ${COVER}`,
  })
  @ApiNoContentResponse()
  @ProblemResponses(
    platformErrors.notFound,
    accessErrors.escalationDenied,
    platformErrors.reauthenticationRequired,
    rbacErrors.inUse,
  )
  delete(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.groups.delete(caller, id);
  }
}
