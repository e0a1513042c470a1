export { OrganizationLookDto, organizationLookDto } from './dto/organization-look.dto';
export type { ImportedOrganizationMember, NewOrganization } from './imported-organizations.service';
export { ImportedOrganizationsService } from './imported-organizations.service';
export { OrganizationAccessService } from './organization-access.service';
export { OrganizationNamesService } from './organization-names.service';
export type { OrganizationOverlay } from './organization-settings.service';
export { OrganizationSettingsService } from './organization-settings.service';
export { organizationDeleting } from './organization.events';
export * from './organizations.module';
