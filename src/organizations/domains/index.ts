export { domainProblem } from './claimable-domain';
export { DomainOwnersService } from './domain-owners.service';
export { MAX_DOMAINS } from './domain-claim';
export * from './imported-domains.service';
export { OrganizationDomain, OrganizationDomainRole } from './organization-domain.entities';
export * from './organization-domains.module';
export { TxtResolver } from './txt-resolver';
