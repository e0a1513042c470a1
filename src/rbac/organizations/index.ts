export { OrganizationAccessService } from './organization-access.service';
export { OrganizationAuthorityService } from './organization-authority.service';
export { OrganizationCoverService } from './organization-cover.service';
export { OrganizationMembershipsService } from './organization-memberships.service';
export * from './organization.entities';
export * from './organizations.permissions';
export { OrganizationViewsService } from './organization-views.service';
export { organizationTarget } from './organization.views';
