import { Body, Delete, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { accessErrors, ApiController, CurrentCaller, InOrganization, RequirePermission } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { contextOf } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { BodyLimit, LARGE_BODY_BYTES } from '../../platform/http';
import { IdPipe } from '../../platform/http/input';
import { PageOrCursorQueryDto } from '../../platform/lists';
import { ProblemResponses } from '../../platform/http/problems';
import { publicUserDto } from '../../users';
import { rbacErrors } from '../grants/rbac.errors';
import { PublicUserCursorPageDto, PublicUserPageDto } from '../grants/dto/role-members.dto';
import {
  AddGroupUsersDto,
  GroupMembersAddedDto,
  GroupMembersChangeDto,
  GroupMembersRemovedDto,
  RemoveGroupUsersDto,
  ReplaceGroupUsersDto,
} from './dto/group-members.dto';
import { GroupMembersService } from './group-members.service';
import { groupPermissions } from './groups.permissions';

@ApiTags('Groups')
@ApiController('group/:id/users')
@InOrganization()
export class GroupMembersController {
  constructor(private readonly members: GroupMembersService) {}

  @Get()
  @RequirePermission(groupPermissions.read)
  @ApiOperation({
    summary: 'List the members of a group',
    description:
      'Without members of the groups below. For a group of an organization, `organization_member:read` is needed, too. ' +
      'Sorted by username. Pages by number or by cursor.',
  })
  @ApiExtraModels(PublicUserPageDto, PublicUserCursorPageDto)
  @ApiOkResponse({
    schema: { oneOf: [{ $ref: getSchemaPath(PublicUserPageDto) }, { $ref: getSchemaPath(PublicUserCursorPageDto) }] },
  })
  @ProblemResponses(platformErrors.notFound)
  list(
    @Param('id', IdPipe) id: string,
    @Query() query: PageOrCursorQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<PublicUserPageDto | PublicUserCursorPageDto> {
    const { origin } = contextOf(request).origin;
    return this.members.list(caller, id, query, (user) => publicUserDto(user, origin));
  }

  @Put()
  @RequirePermission(groupPermissions.update)
  @BodyLimit(LARGE_BODY_BYTES)
  @ApiOperation({
    summary: 'Replace the members of a group',
    description:
      'All or none. The caller must hold the permissions that the group gives, and those of every added or removed user. A group of an organization accepts only members of it. Adding members to one that gives a role of the service that grants no more than new users get needs `role:update` everywhere.',
  })
  @ApiOkResponse({ type: GroupMembersChangeDto })
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied, rbacErrors.lastAdmin)
  replace(
    @Param('id', IdPipe) id: string,
    @Body() body: ReplaceGroupUsersDto,
    @CurrentCaller() caller: Caller,
  ): Promise<GroupMembersChangeDto> {
    return this.members.replace(caller, id, body.user_ids);
  }

  @Post()
  @HttpCode(200)
  @RequirePermission(groupPermissions.update)
  @ApiOperation({
    summary: 'Add members to a group',
    description:
      'All or none. The caller must hold the permissions that the group gives, and those of every added user. A group of an organization accepts only members of it. Adding members to one that gives a role of the service that grants no more than new users get needs `role:update` everywhere.',
  })
  @ApiOkResponse({ type: GroupMembersAddedDto })
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied)
  add(
    @Param('id', IdPipe) id: string,
    @Body() body: AddGroupUsersDto,
    @CurrentCaller() caller: Caller,
  ): Promise<GroupMembersAddedDto> {
    return this.members.add(caller, id, body.user_ids);
  }

  @Post('remove')
  @HttpCode(200)
  @RequirePermission(groupPermissions.update)
  @ApiOperation({
    summary: 'Remove several members from a group',
    description:
      'All or none. The caller must hold the permissions that the group gives, and those of every removed user.',
  })
  @ApiOkResponse({ type: GroupMembersRemovedDto })
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied, rbacErrors.lastAdmin)
  removeAll(
    @Param('id', IdPipe) id: string,
    @Body() body: RemoveGroupUsersDto,
    @CurrentCaller() caller: Caller,
  ): Promise<GroupMembersRemovedDto> {
    return this.members.removeAll(caller, id, body.user_ids);
  }

  @Delete(':user_id')
  @HttpCode(204)
  @RequirePermission(groupPermissions.update)
  @ApiOperation({
    summary: 'Remove a member from a group',
    description: "The caller must hold the permissions that the group gives, and the user's.",
  })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied, rbacErrors.lastAdmin)
  remove(
    @Param('id', IdPipe) id: string,
    @Param('user_id', IdPipe) userId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    return this.members.remove(caller, id, userId);
  }
}
