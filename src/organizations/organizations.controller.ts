import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  accessErrors,
  ApiController,
  Authenticated,
  CurrentCaller,
  InOrganization,
  OwnedBy,
  RequirePermission,
} from '../platform/access';
import type { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { IdPipe } from '../platform/http/input';
import { ProblemResponses } from '../platform/http/problems';
import { rbacErrors, organizationPermissions } from '../rbac';
import {
  ChangeOrganizationDto,
  CreateOrganizationDto,
  ListOrganizationsDto,
  OrganizationDto,
  organizationDto,
  OrganizationPageDto,
} from './dto/organization.dto';
import { OrganizationAdminService } from './organization-admin.service';
import { OrganizationDeletionService } from './organization-deletion.service';
import { MemberRule } from './organization-owners';
import { OrganizationViewsService } from './organization-views.service';

const OF_PATH = { parameter: 'id' };

@ApiTags('Organizations')
@ApiController('organization')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationAdminService,
    private readonly deletion: OrganizationDeletionService,
    private readonly views: OrganizationViewsService,
  ) {}

  @Get()
  @Authenticated()
  @ApiOperation({
    summary: 'List the organizations',
    description: 'Sorted by name. Without `organization:read`, only those that the caller is a member of.',
  })
  @ApiOkResponse({ type: OrganizationPageDto })
  async list(@Query() query: ListOrganizationsDto, @CurrentCaller() caller: Caller): Promise<OrganizationPageDto> {
    const { items, ...page } = await this.views.list(caller, query);
    return { items: items.map(organizationDto), ...page };
  }

  @Post()
  @RequirePermission(organizationPermissions.create)
  @ApiOperation({ summary: 'Create an organization', description: 'It has no members yet.' })
  @ApiCreatedResponse({ type: OrganizationDto })
  @ProblemResponses(rbacErrors.nameTaken)
  async create(@Body() body: CreateOrganizationDto): Promise<OrganizationDto> {
    return organizationDto(await this.organizations.create(body));
  }

  @Get(':id')
  @RequirePermission(organizationPermissions.read)
  @InOrganization(OF_PATH)
  @OwnedBy(MemberRule)
  @ApiOperation({ summary: 'Show an organization', description: 'Members need no permission.' })
  @ApiOkResponse({ type: OrganizationDto })
  @ProblemResponses(platformErrors.notFound)
  async show(@Param('id', IdPipe) id: string): Promise<OrganizationDto> {
    return organizationDto(await this.views.find(id));
  }

  @Patch(':id')
  @RequirePermission(organizationPermissions.update)
  @InOrganization(OF_PATH)
  @ApiOperation({
    summary: 'Change an organization',
    description:
      'The permission may be held there only. Another slug, name or logo, and ending the requirement of second factors, also need a recent login. ' +
      'The former slug stays reserved for 90 days.',
  })
  @ApiOkResponse({ type: OrganizationDto })
  @ProblemResponses(
    platformErrors.notFound,
    rbacErrors.nameTaken,
    rbacErrors.tooManySlugs,
    platformErrors.reauthenticationRequired,
  )
  async change(
    @Param('id', IdPipe) id: string,
    @Body() body: ChangeOrganizationDto,
    @CurrentCaller() caller: Caller,
  ): Promise<OrganizationDto> {
    return organizationDto(await this.organizations.change(caller, id, body));
  }

  @Delete(':id')
  @RequirePermission(organizationPermissions.delete)
  @InOrganization(OF_PATH)
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete an organization',
    description:
      'With its memberships, groups and roles; the users stay. The permission may be held there only. The caller must hold what the members hold there, and what the roles of the organization grant. No OAuth client may be tied to it.',
  })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied, rbacErrors.inUse)
  delete(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.deletion.delete(caller, id);
  }
}
