import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { accessErrors, ApiController, CurrentCaller, InOrganization, RequirePermission } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { IdPipe } from '../../platform/http/input';
import { ProblemResponses } from '../../platform/http/problems';
import { ChangeRoleDto, CreateRoleDto, ListRolesDto, RoleDto, roleDto, RolePageDto } from './dto/role.dto';
import { rbacErrors } from '../grants/rbac.errors';
import { rolePermissions } from '../grants/rbac.permissions';
import { RoleAdminService } from './role-admin.service';
import { RoleViewsService } from './role-views.service';

const THERE =
  'For roles of an organization, the permission may be held there only: then the header `X-Organization-Id` must name it.';

@ApiTags('Roles')
@ApiController('role')
@InOrganization()
export class RolesController {
  constructor(
    private readonly roles: RoleAdminService,
    private readonly views: RoleViewsService,
  ) {}

  @Get()
  @RequirePermission(rolePermissions.read)
  @ApiOperation({
    summary: 'List the roles',
    description: `Those of the service, or of the organization that \`organization_id\` names. Sorted by scope, then name. ${THERE}`,
  })
  @ApiOkResponse({ type: RolePageDto })
  @ProblemResponses(platformErrors.notFound)
  async list(@Query() query: ListRolesDto, @CurrentCaller() caller: Caller): Promise<RolePageDto> {
    const { items, ...page } = await this.views.list(caller, query);
    return { items: items.map(roleDto), ...page };
  }

  @Post()
  @RequirePermission(rolePermissions.create)
  @ApiOperation({
    summary: 'Create a role',
    description: `The caller must hold the role's permissions. An organization has at most 1,000 roles. ${THERE}`,
  })
  @ApiCreatedResponse({ type: RoleDto })
  @ProblemResponses(
    platformErrors.notFound,
    accessErrors.escalationDenied,
    rbacErrors.nameTaken,
    rbacErrors.tooManyRoles,
  )
  async create(@Body() body: CreateRoleDto, @CurrentCaller() caller: Caller): Promise<RoleDto> {
    return roleDto(await this.roles.create(caller, body));
  }

  @Get(':id')
  @RequirePermission(rolePermissions.read)
  @ApiOperation({ summary: 'Show a role', description: THERE })
  @ApiOkResponse({ type: RoleDto })
  @ProblemResponses(platformErrors.notFound)
  async show(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<RoleDto> {
    return roleDto(await this.views.show(caller, id));
  }

  @Patch(':id')
  @RequirePermission(rolePermissions.update)
  @ApiOperation({
    summary: 'Change a role',
    description: `Use either \`add\` and \`remove\` or \`permissions\`, not both. The caller must hold the role's permissions before and after the change. ${THERE}`,
  })
  @ApiOkResponse({ type: RoleDto })
  @ProblemResponses(
    platformErrors.notFound,
    rbacErrors.systemRoleProtected,
    accessErrors.escalationDenied,
    platformErrors.reauthenticationRequired,
    rbacErrors.nameTaken,
    rbacErrors.lastAdmin,
  )
  async change(
    @Param('id', IdPipe) id: string,
    @Body() body: ChangeRoleDto,
    @CurrentCaller() caller: Caller,
  ): Promise<RoleDto> {
    return roleDto(await this.roles.change(caller, id, body));
  }

  @Delete(':id')
  @RequirePermission(rolePermissions.delete)
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a role',
    description: `The default role of new users cannot be deleted. Its users and groups lose its permissions. ${THERE}`,
  })
  @ApiNoContentResponse()
  @ProblemResponses(
    platformErrors.notFound,
    rbacErrors.systemRoleProtected,
    accessErrors.escalationDenied,
    platformErrors.reauthenticationRequired,
    rbacErrors.inUse,
    rbacErrors.lastAdmin,
  )
  delete(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.roles.delete(caller, id);
  }
}
