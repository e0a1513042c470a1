import { Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, CurrentCaller, InOrganization, OwnedBy, RequirePermission } from '../platform/access';
import type { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { IdPipe } from '../platform/http/input';
import { CursorQueryDto } from '../platform/lists';
import { ProblemResponses } from '../platform/http/problems';
import { givableRoleDto, GivableRoleCursorPageDto } from './dto/givable-roles.dto';
import { AssignableRolesService } from './assignable-roles.service';
import { RoleGiverRule } from './organization-owners';
import { organizationMemberPermissions } from '../rbac';

@ApiTags('Organizations')
@ApiController('organization/:id/roles')
@InOrganization({ parameter: 'id' })
export class OrganizationRolesController {
  constructor(private readonly roles: AssignableRolesService) {}

  @Get()
  @RequirePermission(organizationMemberPermissions.update)
  @OwnedBy(RoleGiverRule)
  @ApiOperation({
    summary: 'List the roles that the caller may give in an organization',
    description:
      'To members, groups, invitations and domains: roles of the organization and of the service that grant nothing that the caller does not hold there, without system roles, and without roles of the service that grant nothing unless the caller holds `role:update` everywhere. Any permission to give roles there suffices: `organization_member:update`, `group:create`, `group:update`, `invitation:create` or `organization_domain:update`. Roles of the organization are first, then by scope and name. A page may have fewer roles than `page_size`; the list ends where `next_cursor` is null.',
  })
  @ApiOkResponse({ type: GivableRoleCursorPageDto })
  @ProblemResponses(platformErrors.notFound)
  async list(
    @Param('id', IdPipe) id: string,
    @Query() query: CursorQueryDto,
    @CurrentCaller() caller: Caller,
  ): Promise<GivableRoleCursorPageDto> {
    const { items, ...page } = await this.roles.list(caller, id, query);
    return { items: items.map(givableRoleDto), ...page };
  }
}
