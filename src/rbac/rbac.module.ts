import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { RepositoriesModule } from '../platform/database';
import { Feature } from '../platform/feature';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
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
import { RoleGrant, UserGrant, UserRole } from './grant.entities';
import { GrantRepository } from './grant.repository';
import { HeldPermissionsService } from './held-permissions.service';
import { ImportedRolesService } from './imported-roles.service';
import { MemberRepository } from './member.repository';
import { PermissionChecksService } from './permission-checks.service';
import { PermissionInputsService } from './permission-inputs.service';
import { PermissionsController } from './permissions.controller';
import { PermissionsService } from './permissions.service';
import { ReservedRoleNamesService } from './reserved-role-names.service';
import { RoleAdminService } from './role-admin.service';
import { RoleAssignmentsService } from './role-assignments.service';
import { RoleChangesService } from './role-changes.service';
import { RoleMembersController } from './role-members.controller';
import { RoleMembersService } from './role-members.service';
import { RoleViewsService } from './role-views.service';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';
import { RolesController } from './roles.controller';
import { RolesService } from './roles.service';
import { SystemRolesService } from './system-roles.service';
import { UserAuthorityController } from './user-authority.controller';
import { UserCoverService } from './user-cover.service';
import { UserGrantsService } from './user-grants.service';
import { UserRoleCache } from './user-role.cache';
import { UserRolesService } from './user-roles.service';
import { VerifyController } from './verify.controller';

const storage = [RoleRepository, GrantRepository, MemberRepository, CatalogueRepository, CatalogueCache];
const administration = [
  SystemRolesService,
  RoleAdminService,
  ChangeableRolesService,
  RoleChangesService,
  RoleAssignmentsService,
  ReservedRoleNamesService,
  RoleMembersService,
  RoleViewsService,
  UserGrantsService,
  PermissionInputsService,
  DefaultRoleCheck,
  AccessEvaluationsService,
];
const shared = [
  CatalogueService,
  CatalogueRegistrationService,
  PermissionsService,
  UserRoleCache,
  HeldPermissionsService,
  PermissionChecksService,
  PrivilegeEscalationGuardService,
  FullAuthorityService,
  AdminWriteLimitService,
  RolesService,
  DefaultRoleService,
  UserCoverService,
  UserRolesService,
  ImportedRolesService,
];

@Module({
  imports: [
    RepositoriesModule.forFeature([Role, RoleGrant, UserGrant, UserRole, CatalogueEntry]),
    AuditModule,
    SettingsModule,
    UsersModule,
  ],
  controllers: [
    RolesController,
    RoleMembersController,
    UserAuthorityController,
    PermissionsController,
    VerifyController,
    AuthzenController,
    AuthzenMetadataController,
  ],
  providers: [...storage, ...administration, ...shared],
  exports: shared,
})
export class RbacModule {}

export const rbacFeature: Feature = {
  module: RbacModule,
  entities: [Role, RoleGrant, UserRole, UserGrant, CatalogueEntry],
  tags: {
    Roles: 'Named sets of permissions, and their users',
    AuthZEN: 'Decisions for gateways and services by the OpenID AuthZEN Authorization API 1.0',
    Permissions: 'The permissions that can be granted, and checks',
  },
};
