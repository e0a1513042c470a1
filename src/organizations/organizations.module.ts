import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { RepositoriesModule } from '../platform/database';
import { Feature } from '../platform/feature';
import { Organization, RbacModule } from '../rbac';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
import { AssignableRolesService } from './assignable-roles.service';
import { FormerSlugRepository } from './former-slug.repository';
import { ImportedOrganizationsService } from './imported-organizations.service';
import { OrganizationAccessService } from './organization-access.service';
import { OrganizationAdminService } from './organization-admin.service';
import { OrganizationContentsService } from './organization-contents.service';
import { OrganizationDeletionService } from './organization-deletion.service';
import { OrganizationMemberViewsService } from './organization-member-views.service';
import { OrganizationMembersController } from './organization-members.controller';
import { OrganizationMembersService } from './organization-members.service';
import { OrganizationNamesRepository } from './organization-names.repository';
import { OrganizationNamesService } from './organization-names.service';
import { MemberRule, OwnMembershipRule, RoleGiverRule } from './organization-owners';
import { OrganizationRolesController } from './organization-roles.controller';
import { OrganizationSettingsRepository } from './organization-settings.repository';
import { OrganizationSettingsService } from './organization-settings.service';
import { OrganizationSlugsService } from './organization-slugs.service';
import { OrganizationViewsService } from './organization-views.service';
import {
  OrganizationFormerSlug,
  OrganizationMember,
  OrganizationMemberGrant,
  OrganizationMemberRole,
  OrganizationPendingMember,
  OrganizationPendingMemberRole,
  OrganizationRemoval,
} from './organization.entities';
import { OrganizationsController } from './organizations.controller';
import { OwnOrganizationsController } from './own-organizations.controller';
import { OwnOrganizationsService } from './own-organizations.service';

const shared = [
  ImportedOrganizationsService,
  OrganizationAccessService,
  OrganizationNamesService,
  OrganizationSettingsService,
  OrganizationViewsService,
];

/** Organizations, their members and their own settings. What grants inside one need is in rbac/organizations. */
@Module({
  imports: [RepositoriesModule.forFeature([Organization]), AuditModule, SettingsModule, UsersModule, RbacModule],
  controllers: [
    OrganizationsController,
    OrganizationMembersController,
    OrganizationRolesController,
    OwnOrganizationsController,
  ],
  providers: [
    AssignableRolesService,
    OrganizationAdminService,
    OrganizationContentsService,
    OrganizationDeletionService,
    OrganizationMemberViewsService,
    OrganizationMembersService,
    OrganizationNamesRepository,
    OwnOrganizationsService,
    MemberRule,
    OwnMembershipRule,
    RoleGiverRule,
    OrganizationSettingsRepository,
    FormerSlugRepository,
    OrganizationSlugsService,
    ...shared,
  ],
  exports: shared,
})
export class OrganizationsModule {}

export const organizationsFeature: Feature = {
  module: OrganizationsModule,
  entities: [
    OrganizationFormerSlug,
    OrganizationMember,
    OrganizationMemberGrant,
    OrganizationMemberRole,
    OrganizationPendingMember,
    OrganizationPendingMemberRole,
    OrganizationRemoval,
  ],
  tags: { Organizations: 'Companies and customers with members and roles of their own' },
};
