import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { RepositoriesModule } from '../platform/database';
import { Feature } from '../platform/feature';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
import { ActingAuthorityService } from './acting-authority.service';
import { AdminWriteLimitService } from './admin-write-limit.service';
import { FullAuthorityService } from './full-authority.service';
import { AccessEvaluationsService } from './authzen/access-evaluations.service';
import { AuthzenMetadataController } from './authzen/authzen-metadata.controller';
import { AuthzenController } from './authzen/authzen.controller';
import { PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { CatalogueCache } from './catalogue.cache';
import { CatalogueEntry } from './catalogue.entity';
import { CatalogueRepository } from './catalogue.repository';
import { CatalogueRegistrationService } from './catalogue-registration.service';
import { CatalogueService } from './catalogue.service';
import { ChangeableRolesService } from './changeable-roles.service';
import { DefaultRoleCheck } from './default-role.check';
import { DefaultRoleService } from './default-role.service';
import { DirectGrantsService } from './direct-grants.service';
import { RoleGrant, UserGrant, UserRole } from './grant.entities';
import { GrantRepository } from './grant.repository';
import { GroupAccessService } from './groups/group-access.service';
import { GroupAdminService } from './groups/group-admin.service';
import { GroupChangesService } from './groups/group-changes.service';
import { GroupCoverService } from './groups/group-cover.service';
import { GroupLookupService } from './groups/group-lookup.service';
import { GroupMemberRepository } from './groups/group-member.repository';
import { GroupMembersController } from './groups/group-members.controller';
import { GroupMembersService } from './groups/group-members.service';
import { GroupReferencesService } from './groups/group-references.service';
import { GroupViewsService } from './groups/group-views.service';
import { Group, GroupMember, GroupRole } from './groups/group.entities';
import { GroupRepository } from './groups/group.repository';
import { GroupsController } from './groups/groups.controller';
import { ImportedGroupsService } from './groups/imported-groups.service';
import { UserGroupCache } from './groups/user-group.cache';
import { HeldNamesService } from './held-names.service';
import { HeldPermissionsService } from './held-permissions.service';
import { ImportedRolesService } from './imported-roles.service';
import { MemberRepository } from './member.repository';
import { MembershipsService } from './memberships.service';
import { NamedRolesService } from './named-roles.service';
import { GivableRolesService } from './organizations/givable-roles.service';
import { ImportedOrganizationsService } from './organizations/imported-organizations.service';
import { OrganizationAccessService } from './organizations/organization-access.service';
import { OrganizationAdminService } from './organizations/organization-admin.service';
import { OrganizationContentsService } from './organizations/organization-contents.service';
import { OrganizationDeletionService } from './organizations/organization-deletion.service';
import { OrganizationAuthorityService } from './organizations/organization-authority.service';
import { OrganizationCoverService } from './organizations/organization-cover.service';
import { OrganizationDirectGrantsService } from './organizations/organization-direct-grants.service';
import { OrganizationGrantRepository } from './organizations/organization-grant.repository';
import { OrganizationHolderRepository } from './organizations/organization-holder.repository';
import { OrganizationMemberListRepository } from './organizations/organization-member-list.repository';
import { OrganizationMemberRepository } from './organizations/organization-member.repository';
import { OrganizationMemberViewsService } from './organizations/organization-member-views.service';
import { OrganizationMembersController } from './organizations/organization-members.controller';
import { OrganizationMembersService } from './organizations/organization-members.service';
import { OrganizationMembershipsService } from './organizations/organization-memberships.service';
import { OrganizationNamesRepository } from './organizations/organization-names.repository';
import { OrganizationNamesService } from './organizations/organization-names.service';
import { OwnOrganizationsController } from './organizations/own-organizations.controller';
import { OwnOrganizationsService } from './organizations/own-organizations.service';
import { PendingMemberRepository } from './organizations/pending-member.repository';
import { PendingMembershipsService } from './organizations/pending-memberships.service';
import { PlaceAccessService } from './organizations/place-access.service';
import { OrganizationRoleMemberRepository } from './organizations/organization-role-member.repository';
import { OrganizationRolesController } from './organizations/organization-roles.controller';
import {
  OrganizationFormerSlug,
  OrganizationMember,
  OrganizationMemberGrant,
  OrganizationMemberRole,
  OrganizationPendingMember,
  OrganizationPendingMemberRole,
  OrganizationRemoval,
} from './organizations/organization.entities';
import { Organization } from './organizations/organization.entity';
import { MemberRule, OwnMembershipRule, RoleGiverRule } from './organizations/organization-owners';
import { OrganizationRoleBatchesService } from './organizations/organization-role-batches.service';
import { OrganizationRolesService } from './organizations/organization-roles.service';
import { OrganizationSettingsRepository } from './organizations/organization-settings.repository';
import { OrganizationSettingsService } from './organizations/organization-settings.service';
import { OrganizationViewsService } from './organizations/organization-views.service';
import { OrganizationRepository } from './organizations/organization.repository';
import { SetUpRegistry } from './organizations/set-up.registry';
import { FormerSlugRepository } from './organizations/former-slug.repository';
import { OrganizationSlugsService } from './organizations/organization-slugs.service';
import { OrganizationsController } from './organizations/organizations.controller';
import { PermissionChecksService } from './permission-checks.service';
import { PermissionInputsService } from './permission-inputs.service';
import { PermissionsController } from './permissions.controller';
import { PermissionsService } from './permissions.service';
import { ReservedRoleNamesService } from './reserved-role-names.service';
import { RoleAccessService } from './role-access.service';
import { RoleAdminService } from './role-admin.service';
import { RoleAssignmentsService } from './role-assignments.service';
import { RoleChangesService } from './role-changes.service';
import { RoleGivingService } from './role-giving.service';
import { RoleHoldersService } from './role-holders.service';
import { RoleMembersController } from './role-members.controller';
import { RoleMembersService } from './role-members.service';
import { RoleViewsService } from './role-views.service';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';
import { RolesController } from './roles.controller';
import { RolesService } from './roles.service';
import { SystemRolesService } from './system-roles.service';
import { TrustedUsersService } from './trusted-users.service';
import { UserAuthorityController } from './user-authority.controller';
import { UserCoverService } from './user-cover.service';
import { UserGrantsService } from './user-grants.service';
import { UserRoleCache } from './user-role.cache';
import { UserRolesService } from './user-roles.service';
import { VerifyController } from './verify.controller';

const storage = [RoleRepository, GrantRepository, MemberRepository, CatalogueRepository, CatalogueCache];
const groups = [
  GroupRepository,
  GroupMemberRepository,
  GroupAccessService,
  GroupReferencesService,
  GroupCoverService,
  GroupViewsService,
  GroupChangesService,
  GroupAdminService,
  GroupMembersService,
];
const organizations = [
  OrganizationRepository,
  FormerSlugRepository,
  OrganizationSlugsService,
  OrganizationMemberRepository,
  OrganizationMemberListRepository,
  OrganizationMemberViewsService,
  PendingMemberRepository,
  PendingMembershipsService,
  OrganizationHolderRepository,
  OwnOrganizationsService,
  OrganizationGrantRepository,
  OrganizationNamesRepository,
  OrganizationRoleMemberRepository,
  PlaceAccessService,
  OrganizationContentsService,
  OrganizationSettingsRepository,
  OrganizationAdminService,
  OrganizationDeletionService,
  OrganizationMembersService,
  OrganizationDirectGrantsService,
  GivableRolesService,
  OrganizationRolesService,
  OrganizationRoleBatchesService,
  MemberRule,
  OwnMembershipRule,
  RoleGiverRule,
];
const administration = [
  DirectGrantsService,
  SystemRolesService,
  RoleAccessService,
  RoleHoldersService,
  ChangeableRolesService,
  RoleChangesService,
  RoleAssignmentsService,
  ReservedRoleNamesService,
  MembershipsService,
  RoleMembersService,
  DefaultRoleCheck,
  AccessEvaluationsService,
];
const shared = [
  CatalogueService,
  CatalogueRegistrationService,
  PermissionsService,
  UserRoleCache,
  UserGroupCache,
  GroupLookupService,
  HeldNamesService,
  HeldPermissionsService,
  PermissionChecksService,
  RoleGivingService,
  PrivilegeEscalationGuardService,
  FullAuthorityService,
  TrustedUsersService,
  ActingAuthorityService,
  AdminWriteLimitService,
  RolesService,
  DefaultRoleService,
  UserCoverService,
  UserRolesService,
  UserGrantsService,
  RoleAdminService,
  RoleViewsService,
  PermissionInputsService,
  NamedRolesService,
  ImportedRolesService,
  ImportedGroupsService,
  ImportedOrganizationsService,
  OrganizationMembershipsService,
  OrganizationAuthorityService,
  OrganizationCoverService,
  OrganizationAccessService,
  OrganizationNamesService,
  OrganizationSettingsService,
  OrganizationViewsService,
  SetUpRegistry,
];

@Module({
  imports: [
    RepositoriesModule.forFeature([
      Role,
      RoleGrant,
      UserGrant,
      UserRole,
      Group,
      GroupRole,
      CatalogueEntry,
      Organization,
    ]),
    AuditModule,
    SettingsModule,
    UsersModule,
  ],
  controllers: [
    RolesController,
    RoleMembersController,
    GroupsController,
    GroupMembersController,
    OrganizationsController,
    OrganizationMembersController,
    OrganizationRolesController,
    OwnOrganizationsController,
    UserAuthorityController,
    PermissionsController,
    VerifyController,
    AuthzenController,
    AuthzenMetadataController,
  ],
  providers: [...storage, ...groups, ...organizations, ...administration, ...shared],
  exports: shared,
})
export class RbacModule {}

export const rbacFeature: Feature = {
  module: RbacModule,
  entities: [
    Role,
    RoleGrant,
    UserRole,
    UserGrant,
    Group,
    GroupMember,
    GroupRole,
    Organization,
    OrganizationFormerSlug,
    OrganizationMember,
    OrganizationRemoval,
    OrganizationMemberRole,
    OrganizationMemberGrant,
    OrganizationPendingMember,
    OrganizationPendingMemberRole,
    CatalogueEntry,
  ],
  tags: {
    Roles: 'Named sets of permissions, and their users',
    Groups: 'Trees of users. Members hold the roles of the group and of those above it',
    Organisations: 'Companies and customers with members and roles of their own',
    AuthZEN: 'Decisions for gateways and services by the OpenID AuthZEN Authorization API 1.0',
    Permissions: 'The permissions that can be granted, and checks',
  },
};
