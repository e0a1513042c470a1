export { DomainOwnersService } from './domain-owners.service';
export { OrganizationDomain, OrganizationDomainRole } from './organization-domain.entities';
export * from './organization-domains.module';
export { TxtResolver } from './txt-resolver';
