export { OrganizationAuthorityService } from '../escalation/organization-authority.service';
export { OrganizationCoverService } from '../escalation/organization-cover.service';
export { OrganizationMembershipsService } from './organization-memberships.service';
export * from '../grants/organization-settings';
export * from '../grants/organization.entity';
export * from '../grants/organizations.permissions';
export * from '../grants/set-up.registry';
export { isOrganizationName, isSlug, MAX_SLUG } from '../grants/organization-name';
export { organizationTarget, targetOfPlace } from '../grants/organization.views';
