import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { accessErrors, ApiController, CurrentCaller, RequirePermission, Authenticated } from '../../../platform/access';
import type { Caller } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import { IdPipe, QueryBooleanField } from '../../../platform/http/input';
import { ProblemResponses } from '../../../platform/http/problems';
import { rbacErrors } from '../../../rbac';
import { usersErrors } from '../../../users';
import { ChangeLoginProviderDto, CreateLoginProviderDto } from './dto/login-provider-input.dto';
import { LoginProviderDto, LoginProviderListDto, ProviderTemplateListDto } from './dto/login-provider.dto';
import { ProviderTestDto } from './dto/provider-test.dto';
import { LoginProviderDeletionService } from './login-provider-deletion.service';
import { LoginProvidersService } from './login-providers.service';
import { ProviderTemplateRegistry } from './provider-template.registry';
import { ProviderTestsService } from './provider-tests.service';
import { authorizationServerErrors } from './providers.errors';
import { providerPermissions } from './providers.permissions';

const GUARDED =
  'Endpoints, issuer, the claims that identify a user, `pkce`, `trust_email`, `auto_register` and, for an existing provider, `client_id` and `params` require all permissions (`*:*` at level 7) and a recent login.';

class DeleteQuery {
  @QueryBooleanField({ description: 'true: also deletes the links of its users', optional: true })
  force?: boolean;
}

@ApiTags('Login providers')
@ApiController('oauth')
export class LoginProvidersController {
  constructor(
    private readonly providers: LoginProvidersService,
    private readonly deletion: LoginProviderDeletionService,
    private readonly templates: ProviderTemplateRegistry,
    private readonly tests: ProviderTestsService,
  ) {}

  @Get('template')
  @Authenticated()
  @ApiOperation({
    summary: 'List the kinds of login provider',
    description: 'With the fields that an operator fills in.',
  })
  @ApiOkResponse({ type: ProviderTemplateListDto })
  listTemplates(): ProviderTemplateListDto {
    return { items: this.templates.list() };
  }

  @Get('provider')
  @RequirePermission(providerPermissions.read)
  @ApiOperation({ summary: 'List the login providers', description: 'Ordered by `sort`, then name.' })
  @ApiOkResponse({ type: LoginProviderListDto })
  async list(): Promise<LoginProviderListDto> {
    return { items: await this.providers.list() };
  }

  @Post('provider')
  @RequirePermission(providerPermissions.create)
  @ApiOperation({
    summary: 'Add a login provider',
    description: `Omitted fields have the template's values. ${GUARDED}`,
  })
  @ApiCreatedResponse({ type: LoginProviderDto })
  @ProblemResponses(
    accessErrors.escalationDenied,
    platformErrors.reauthenticationRequired,
    authorizationServerErrors.nameTaken,
  )
  create(@Body() body: CreateLoginProviderDto, @CurrentCaller() caller: Caller): Promise<LoginProviderDto> {
    return this.providers.create(caller, body);
  }

  @Get('provider/:id')
  @RequirePermission(providerPermissions.read)
  @ApiOperation({ summary: 'Show a login provider' })
  @ApiOkResponse({ type: LoginProviderDto })
  @ProblemResponses(platformErrors.notFound)
  show(@Param('id', IdPipe) id: string): Promise<LoginProviderDto> {
    return this.providers.find(id);
  }

  @Patch('provider/:id')
  @RequirePermission(providerPermissions.update)
  @ApiOperation({
    summary: 'Change a login provider',
    description: `A new host requires the secret again. \`mapping\` and \`params\` replace the stored values. While an organization lists it in \`login_methods\`, another name is \`in_use\`. The only provider through which administrators log in cannot be disabled. ${GUARDED}`,
  })
  @ApiOkResponse({ type: LoginProviderDto })
  @ProblemResponses(
    platformErrors.notFound,
    accessErrors.escalationDenied,
    platformErrors.reauthenticationRequired,
    platformErrors.versionConflict,
    authorizationServerErrors.nameTaken,
    rbacErrors.inUse,
    rbacErrors.lastAdmin,
  )
  change(
    @Param('id', IdPipe) id: string,
    @Body() body: ChangeLoginProviderDto,
    @CurrentCaller() caller: Caller,
  ): Promise<LoginProviderDto> {
    return this.providers.change(caller, id, body);
  }

  @Delete('provider/:id')
  @RequirePermission(providerPermissions.delete)
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a login provider',
    description:
      'Fails with `in_use` while an organization lists it in `login_methods`, and while users are linked through it. `force` also deletes the links, but not their accounts. It requires all permissions (`*:*` at level 7) and a recent login, and fails if the caller or all administrators could no longer log in.',
  })
  @ApiNoContentResponse()
  @ProblemResponses(
    platformErrors.notFound,
    rbacErrors.inUse,
    platformErrors.versionConflict,
    accessErrors.escalationDenied,
    platformErrors.reauthenticationRequired,
    usersErrors.lastCredential,
    rbacErrors.lastAdmin,
  )
  delete(
    @Param('id', IdPipe) id: string,
    @Query() { force = false }: DeleteQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    return this.deletion.delete(caller, id, force);
  }

  @Post('provider/:id/test')
  @RequirePermission(providerPermissions.update)
  @HttpCode(200)
  @ApiOperation({
    summary: 'Test a login provider',
    description: 'Runs the steps of a login that need no user. Also works for a disabled provider. Logs no user in.',
  })
  @ApiOkResponse({ type: ProviderTestDto })
  @ProblemResponses(platformErrors.notFound)
  test(@Param('id', IdPipe) id: string): Promise<ProviderTestDto> {
    return this.tests.run(id);
  }
}
