import { Body, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import {
  AllowWhileActing,
  accessErrors,
  ApiController,
  CurrentCaller,
  CurrentCallerOrClient,
  AllowClients,
  RequirePermission,
  Authenticated,
} from '../../platform/access';
import type { Caller, OAuthClientPrincipal } from '../../platform/context';
import { contextOf } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/http/problems';
import { CatalogueService } from './catalogue.service';
import { CatalogueDto, CatalogueEntryDto, catalogueEntryDto, CreateCatalogueEntryDto } from './dto/catalogue.dto';
import { CheckPermissionsDto, PermissionChecksDto, permissionChecksDto } from '../permission/dto/permission-check.dto';
import { PermissionChecksService } from './permission-checks.service';
import { rbacErrors } from '../grants/rbac.errors';
import { cataloguePermissions } from '../grants/rbac.permissions';

@ApiTags('Permissions')
@ApiController('permission')
export class PermissionsController {
  constructor(
    private readonly catalogue: CatalogueService,
    private readonly checks: PermissionChecksService,
  ) {}

  @Get()
  @RequirePermission(cataloguePermissions.read)
  @ApiOperation({
    summary: 'List the catalogue of permissions',
    description:
      "The permissions that the service's modules declare and that operators add for other scopes, sorted by scope, then permission.",
  })
  @ApiOkResponse({ type: CatalogueDto })
  async list(@Req() request: FastifyRequest): Promise<CatalogueDto> {
    const entries = await this.catalogue.list(contextOf(request).language);
    return { items: entries.map(catalogueEntryDto) };
  }

  @Post()
  @RequirePermission(cataloguePermissions.create)
  @ApiOperation({ summary: 'Add a permission of another scope', description: 'Needs `*:*` at level 7 in that scope.' })
  @ApiCreatedResponse({ type: CatalogueEntryDto })
  @ProblemResponses(accessErrors.escalationDenied, rbacErrors.nameTaken)
  async add(@Body() body: CreateCatalogueEntryDto, @CurrentCaller() caller: Caller): Promise<CatalogueEntryDto> {
    return catalogueEntryDto(await this.catalogue.add(caller, body));
  }

  @Delete(':scope/:permission_id')
  @RequirePermission(cataloguePermissions.delete)
  @HttpCode(204)
  @ApiOperation({
    summary: 'Remove a permission of another scope',
    description:
      'Needs `*:*` at level 7 in that scope. Permissions declared by a module cannot be removed. Existing grants stay.',
  })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied, rbacErrors.inUse)
  remove(
    @Param('scope') scope: string,
    @Param('permission_id') permissionId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    return this.catalogue.remove(caller, scope, permissionId);
  }

  @Post('check')
  @Authenticated()
  @AllowWhileActing()
  @AllowClients(cataloguePermissions.read)
  @HttpCode(200)
  @ApiOperation({
    summary: 'Check permissions of a user',
    description:
      'Checks of the caller need no permission; checks of another user need `permission:read`. OAuth clients always give `user_id`.',
  })
  @ApiOkResponse({ type: PermissionChecksDto })
  @ProblemResponses(platformErrors.permissionDenied, platformErrors.notFound)
  async check(
    @Body() body: CheckPermissionsDto,
    @CurrentCallerOrClient() caller: Caller | OAuthClientPrincipal,
  ): Promise<PermissionChecksDto> {
    return permissionChecksDto(await this.checks.explain(caller, body));
  }
}
