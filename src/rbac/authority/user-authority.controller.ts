import { Body, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { accessErrors, ApiController, CurrentCaller, RequirePermission } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { IdPipe } from '../../platform/http/input';
import { ProblemResponses } from '../../platform/http/problems';
import { GiveRolesDto, assignedRoleDto, AssignedRoleListDto } from '../roles/dto/role.dto';
import { ChangeUserGrantsDto, UserGrantsDto, userGrantsDto } from './dto/user-grants.dto';
import { OrganizationRolesService } from '../roles/organization-roles.service';
import { rbacErrors } from '../grants/rbac.errors';
import { rolePermissions, userPermissions } from '../grants/rbac.permissions';
import { UserGrantsService } from './user-grants.service';
import { UserRolesService } from '../roles/user-roles.service';

const COVER =
  "The caller must hold the user's permissions before and after the change, and those of the user's OAuth clients.";

@ApiTags('User administration')
@ApiController('user/:id')
export class UserAuthorityController {
  constructor(
    private readonly roles: UserRolesService,
    private readonly grants: UserGrantsService,
    private readonly organizationRoles: OrganizationRolesService,
  ) {}

  @Get('roles')
  @RequirePermission(userPermissions.administer)
  @ApiOperation({
    summary: 'List the roles of a user',
    description: 'Without roles of their groups. Sorted by scope, then name.',
  })
  @ApiOkResponse({ type: AssignedRoleListDto })
  @ProblemResponses(platformErrors.notFound)
  async listRoles(@Param('id', IdPipe) id: string): Promise<AssignedRoleListDto> {
    return { items: (await this.roles.list(id)).map(assignedRoleDto) };
  }

  @Post('roles')
  @RequirePermission(userPermissions.administer, rolePermissions.update)
  @HttpCode(200)
  @ApiOperation({
    summary: 'Add a user to roles',
    description:
      `Returns all of the user's roles, with \`organization_id\` those in that organization. ${COVER} With ` +
      '`organization_id`, the caller must hold what the user holds and gets there, everywhere or there.',
  })
  @ApiOkResponse({ type: AssignedRoleListDto })
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied, rbacErrors.systemRoleProtected)
  async giveRoles(
    @Param('id', IdPipe) id: string,
    @Body() body: GiveRolesDto,
    @CurrentCaller() caller: Caller,
  ): Promise<AssignedRoleListDto> {
    const { role_ids: roleIds, organization_id: organizationId } = body;
    const roles =
      organizationId === undefined
        ? await this.roles.give(caller, id, roleIds)
        : await this.organizationRoles.give(caller, { userId: id, organizationId }, roleIds);
    return { items: roles.map(assignedRoleDto) };
  }

  @Delete('roles/:role_id')
  @RequirePermission(userPermissions.administer, rolePermissions.update)
  @HttpCode(204)
  @ApiOperation({
    summary: 'Remove a user from a role',
    description: `The last administrator cannot be removed. ${COVER}`,
  })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied, rbacErrors.lastAdmin)
  takeRole(
    @Param('id', IdPipe) id: string,
    @Param('role_id', IdPipe) roleId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    return this.roles.take(caller, id, roleId);
  }

  @Get('permissions')
  @RequirePermission(userPermissions.administer)
  @ApiOperation({
    summary: "Show a user's permissions",
    description: 'Direct grants, and effective grants with their sources.',
  })
  @ApiOkResponse({ type: UserGrantsDto })
  @ProblemResponses(platformErrors.notFound)
  async showGrants(@Param('id', IdPipe) id: string): Promise<UserGrantsDto> {
    return userGrantsDto(await this.grants.show(id));
  }

  @Patch('permissions')
  @RequirePermission(userPermissions.administer, rolePermissions.update)
  @ApiOperation({ summary: "Change a user's direct grants", description: COVER })
  @ApiOkResponse({ type: UserGrantsDto })
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied)
  async changeGrants(
    @Param('id', IdPipe) id: string,
    @Body() body: ChangeUserGrantsDto,
    @CurrentCaller() caller: Caller,
  ): Promise<UserGrantsDto> {
    return userGrantsDto(await this.grants.change(caller, id, body));
  }
}
