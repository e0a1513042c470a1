import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { RepositoriesModule } from '../../platform/database';
import { Feature } from '../../platform/feature';
import { OrganizationsModule } from '../organizations.module';
import { RbacModule } from '../../rbac';
import { UsersModule } from '../../users';
import { DomainJoinRepository } from './domain-join.repository';
import { DomainJoinsJob } from './domain-joins.job';
import { DomainMembersService } from './domain-members.service';
import { DomainOwnersService } from './domain-owners.service';
import { DomainRulesService } from './domain-rules.service';
import { ImportedDomainsService } from './imported-domains.service';
import { OrganizationDomain, OrganizationDomainJoin, OrganizationDomainRole } from './organization-domain.entities';
import { OrganizationDomainRepository } from './organization-domain.repository';
import { OrganizationDomainsController } from './organization-domains.controller';
import { OrganizationDomainsService } from './organization-domains.service';
import { DnsTxtResolver, TxtResolver } from './txt-resolver';

/** Domains that organizations prove by DNS, and members who join by them. */
@Module({
  imports: [
    RepositoriesModule.forFeature([OrganizationDomain, OrganizationDomainRole]),
    AuditModule,
    RbacModule,
    OrganizationsModule,
    UsersModule,
  ],
  controllers: [OrganizationDomainsController],
  providers: [
    OrganizationDomainRepository,
    OrganizationDomainsService,
    DomainJoinRepository,
    DomainJoinsJob,
    DomainMembersService,
    DomainOwnersService,
    DomainRulesService,
    ImportedDomainsService,
    { provide: TxtResolver, useFactory: () => new DnsTxtResolver() },
  ],
  exports: [DomainOwnersService, ImportedDomainsService],
})
export class OrganizationDomainsModule {}

export const organizationDomainsFeature: Feature = {
  module: OrganizationDomainsModule,
  entities: [OrganizationDomain, OrganizationDomainJoin, OrganizationDomainRole],
  tags: { Domains: 'Domains of organizations, proved by DNS' },
};
