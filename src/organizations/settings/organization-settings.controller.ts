import { Body, Get, Param, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, CurrentCaller, InOrganization, RequirePermission } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { IdPipe } from '../../platform/http/input';
import { ProblemResponses } from '../../platform/http/problems';
import { organizationPermissions, OrganizationSettings, OrganizationSettingsChange } from '../../rbac';
import { OrganizationSettingsService } from '../organization-settings.service';
import { AcceptedLoginsService } from './accepted-logins.service';
import {
  ChangeOrganizationSettingsDto,
  OrganizationSettingsDto,
  organizationSettingsDto,
} from './dto/organization-settings.dto';

@ApiTags('Organizations')
@ApiController('organization/:id/settings')
@InOrganization({ parameter: 'id' })
export class OrganizationSettingsController {
  constructor(
    private readonly settings: OrganizationSettingsService,
    private readonly logins: AcceptedLoginsService,
  ) {}

  @Get()
  @RequirePermission(organizationPermissions.update)
  @ApiOperation({
    summary: 'Show the settings of an organization',
    description: 'What it shows and accepts instead of what the service does. The permission may be held there only.',
  })
  @ApiOkResponse({ type: OrganizationSettingsDto })
  @ProblemResponses(platformErrors.notFound)
  async show(@Param('id', IdPipe) id: string): Promise<OrganizationSettingsDto> {
    return this.dto(id, await this.settings.find(id));
  }

  @Patch()
  @RequirePermission(organizationPermissions.update)
  @ApiOperation({
    summary: 'Change the settings of an organization',
    description:
      "Absent fields stay, and null restores the service's value. Name, logo, links and login methods need a recent login. " +
      'The permission may be held there only.',
  })
  @ApiOkResponse({ type: OrganizationSettingsDto })
  @ProblemResponses(platformErrors.notFound, platformErrors.reauthenticationRequired)
  async change(
    @Param('id', IdPipe) id: string,
    @Body() body: ChangeOrganizationSettingsDto,
    @CurrentCaller() caller: Caller,
  ): Promise<OrganizationSettingsDto> {
    const { login_methods: accepted } = body;
    const { login_methods: before } = await this.settings.find(id);
    if (accepted) await this.logins.require(caller, id, { before, accepted });
    const changed = await this.settings.change(caller, id, changeOf(body), async (stored) => {
      if (accepted) await this.logins.requireNamed(id, { before: stored.login_methods, accepted });
    });
    return this.dto(id, changed);
  }

  private async dto(id: string, settings: OrganizationSettings): Promise<OrganizationSettingsDto> {
    const [service, offered] = await Promise.all([this.settings.serviceBranding(), this.logins.offered(id)]);
    return organizationSettingsDto(settings, { ...service, login_methods: offered });
  }
}

/** The order of the login methods has no meaning, so a change of it is none. */
const changeOf = ({
  login_methods: methods,
  ...branding
}: ChangeOrganizationSettingsDto): OrganizationSettingsChange => ({
  ...branding,
  ...(methods !== undefined && { login_methods: methods && [...new Set(methods)].sort() }),
});
