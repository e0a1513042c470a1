import { Body, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { accessErrors, ApiController, CurrentCaller, InOrganization, RequirePermission } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { IdPipe } from '../../platform/http/input';
import { ProblemResponses } from '../../platform/http/problems';
import { rbacErrors } from '../../rbac';
import { ChangeDomainDto, ClaimDomainDto, DomainDto, domainDto, DomainListDto } from './dto/organization-domain.dto';
import { organizationDomainErrors } from './organization-domains.errors';
import { organizationDomainPermissions } from './organization-domains.permissions';
import { OrganizationDomainsService } from './organization-domains.service';

@ApiTags('Domains')
@ApiController('organization/:id/domains')
@InOrganization({ parameter: 'id' })
export class OrganizationDomainsController {
  constructor(private readonly domains: OrganizationDomainsService) {}

  @Get()
  @RequirePermission(organizationDomainPermissions.update)
  @ApiOperation({ summary: 'List the domains of an organization', description: 'By name, at most 100.' })
  @ApiOkResponse({ type: DomainListDto })
  @ProblemResponses(platformErrors.notFound)
  async list(@Param('id', IdPipe) id: string): Promise<DomainListDto> {
    return { items: (await this.domains.list(id)).map(domainDto) };
  }

  @Post()
  @RequirePermission(organizationDomainPermissions.update)
  @ApiOperation({
    summary: 'Claim a domain',
    description:
      'Publish the TXT record that the response names, then verify the domain. Several organizations may claim it.',
  })
  @ApiCreatedResponse({ type: DomainDto })
  @ProblemResponses(platformErrors.notFound, rbacErrors.nameTaken, organizationDomainErrors.tooManyDomains)
  async claim(@Param('id', IdPipe) id: string, @Body() { domain }: ClaimDomainDto): Promise<DomainDto> {
    return domainDto(await this.domains.claim(id, domain));
  }

  @Post(':domain/verify')
  @HttpCode(200)
  @RequirePermission(organizationDomainPermissions.update)
  @ApiOperation({
    summary: 'Verify a domain',
    description:
      'Looks the TXT record up in DNS. One organization owns a domain: the first that proves it, until another one proves it ' +
      'while the record of the owner is gone.',
  })
  @ApiOkResponse({ type: DomainDto })
  @ProblemResponses(
    platformErrors.notFound,
    organizationDomainErrors.domainNotVerified,
    organizationDomainErrors.domainTaken,
  )
  async verify(@Param('id', IdPipe) id: string, @Param('domain') domain: string): Promise<DomainDto> {
    return domainDto(await this.domains.verify(id, domain));
  }

  @Patch(':domain')
  @RequirePermission(organizationDomainPermissions.update)
  @ApiOperation({
    summary: 'Change what a domain gives',
    description:
      'Whether users who verify an e-mail address of the domain become members, and with which roles. ' +
      'The caller answers for the rule from then on: users join while the caller may give the roles. ' +
      'The caller must hold the permissions of the roles, everywhere or there, and for a role of the service that grants no more than new users get `role:update` everywhere.',
  })
  @ApiOkResponse({ type: DomainDto })
  @ProblemResponses(platformErrors.notFound, rbacErrors.systemRoleProtected, accessErrors.escalationDenied)
  async change(
    @Param('id', IdPipe) id: string,
    @Param('domain') domain: string,
    @Body() body: ChangeDomainDto,
    @CurrentCaller() caller: Caller,
  ): Promise<DomainDto> {
    return domainDto(await this.domains.change(caller, id, domain, body));
  }

  @Delete(':domain')
  @HttpCode(204)
  @RequirePermission(organizationDomainPermissions.update)
  @ApiOperation({ summary: 'Give a domain up', description: 'Members who joined by the domain stay.' })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound)
  remove(@Param('id', IdPipe) id: string, @Param('domain') domain: string): Promise<void> {
    return this.domains.remove(id, domain);
  }
}
