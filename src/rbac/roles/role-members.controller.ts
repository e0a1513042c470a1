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
import {
  AddRoleUsersDto,
  MembersAddedDto,
  MembersRemovedDto,
  MembershipChangeDto,
  PublicUserPageDto,
  PublicUserCursorPageDto,
  RemoveRoleUsersDto,
  ReplaceRoleUsersDto,
} from '../grants/dto/role-members.dto';
import { rbacErrors } from '../grants/rbac.errors';
import { rolePermissions } from '../grants/rbac.permissions';
import { RoleMembersService } from './role-members.service';

const MEMBERS = 'A role of an organization accepts only members of it.';
const CHANGE_ERRORS = [
  platformErrors.notFound,
  rbacErrors.systemRoleProtected,
  accessErrors.escalationDenied,
  platformErrors.reauthenticationRequired,
  rbacErrors.lastAdmin,
];

@ApiTags('Roles')
@ApiController('role/:id/users')
@InOrganization()
export class RoleMembersController {
  constructor(private readonly members: RoleMembersService) {}

  @Get()
  @RequirePermission(rolePermissions.read)
  @ApiOperation({
    summary: 'List the users of a role',
    description:
      'Without users who hold the role through a group: see the groups with this `role_id`. For a role of an organization, ' +
      '`organization_member:read` is needed, too. Sorted by username. Pages by number or by cursor.',
  })
  @ApiExtraModels(PublicUserPageDto, PublicUserCursorPageDto)
  @ApiOkResponse({
    schema: { oneOf: [{ $ref: getSchemaPath(PublicUserPageDto) }, { $ref: getSchemaPath(PublicUserCursorPageDto) }] },
  })
  @ProblemResponses(platformErrors.notFound, rbacErrors.systemRoleProtected)
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
  @RequirePermission(rolePermissions.update)
  @BodyLimit(LARGE_BODY_BYTES)
  @ApiOperation({
    summary: 'Replace the users of a role',
    description: `All or none. The caller must hold the role's permissions and those of every added or removed user. ${MEMBERS}`,
  })
  @ApiOkResponse({ type: MembershipChangeDto })
  @ProblemResponses(...CHANGE_ERRORS)
  replace(
    @Param('id', IdPipe) id: string,
    @Body() body: ReplaceRoleUsersDto,
    @CurrentCaller() caller: Caller,
  ): Promise<MembershipChangeDto> {
    return this.members.replace(caller, id, body.user_ids);
  }

  @Post()
  @HttpCode(200)
  @RequirePermission(rolePermissions.update)
  @ApiOperation({
    summary: 'Add users to a role',
    description:
      `All or none. The caller must hold the role's permissions and those of every added user. ${MEMBERS} With ` +
      '`organization_id`, a role of the service needs `user:admin`, too, and the caller must hold what it grants and what ' +
      'the users hold there, everywhere or there.',
  })
  @ApiOkResponse({ type: MembersAddedDto })
  @ProblemResponses(platformErrors.notFound, rbacErrors.systemRoleProtected, accessErrors.escalationDenied)
  add(
    @Param('id', IdPipe) id: string,
    @Body() body: AddRoleUsersDto,
    @CurrentCaller() caller: Caller,
  ): Promise<MembersAddedDto> {
    return this.members.add(caller, id, body);
  }

  @Post('remove')
  @HttpCode(200)
  @RequirePermission(rolePermissions.update)
  @ApiOperation({
    summary: 'Remove several users from a role',
    description: "All or none. The caller must hold the role's permissions and those of every removed user.",
  })
  @ApiOkResponse({ type: MembersRemovedDto })
  @ProblemResponses(...CHANGE_ERRORS)
  removeAll(
    @Param('id', IdPipe) id: string,
    @Body() body: RemoveRoleUsersDto,
    @CurrentCaller() caller: Caller,
  ): Promise<MembersRemovedDto> {
    return this.members.removeAll(caller, id, body.user_ids);
  }

  @Delete(':user_id')
  @HttpCode(204)
  @RequirePermission(rolePermissions.update)
  @ApiOperation({
    summary: 'Remove a user from a role',
    description: "The caller must hold the role's permissions and the user's.",
  })
  @ApiNoContentResponse()
  @ProblemResponses(...CHANGE_ERRORS)
  remove(
    @Param('id', IdPipe) id: string,
    @Param('user_id', IdPipe) userId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    return this.members.remove(caller, id, userId);
  }
}
