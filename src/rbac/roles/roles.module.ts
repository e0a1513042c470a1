import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { SettingsModule } from '../../settings';
import { UsersModule } from '../../users';
import { DefaultRoleCheck } from './default-role.check';
import { DefaultRoleService } from './default-role.service';
import { EffectiveClaimsService } from './effective-claims.service';
import { EffectivePermissionsService } from './effective-permissions.service';
import { ImportedRolesService } from './imported-roles.service';
import { NamedRolesService } from './named-roles.service';
import { OrganizationRolesService } from './organization-roles.service';
import { ReservedRoleNamesService } from './reserved-role-names.service';
import { RoleAdminService } from './role-admin.service';
import { RoleAssignmentsService } from './role-assignments.service';
import { RoleChangesService } from './role-changes.service';
import { RoleHoldersService } from './role-holders.service';
import { RoleMembersController } from './role-members.controller';
import { RoleMembersService } from './role-members.service';
import { RoleViewsService } from './role-views.service';
import { RolesController } from './roles.controller';
import { RolesService } from './roles.service';
import { SystemRolesService } from './system-roles.service';
import { UserRolesService } from './user-roles.service';
import { PermissionModule } from '../permission/permission.module';
import { GrantsModule } from '../grants/grants.module';
import { EscalationModule } from '../escalation/escalation.module';
import { OrganizationGrantsModule } from '../organizations/organization-grants.module';

/** Roles and who holds them. */
@Module({
  imports: [
    AuditModule,
    SettingsModule,
    UsersModule,
    PermissionModule,
    GrantsModule,
    EscalationModule,
    OrganizationGrantsModule,
  ],
  controllers: [RolesController, RoleMembersController],
  providers: [
    OrganizationRolesService,
    SystemRolesService,
    RoleHoldersService,
    RoleChangesService,
    RoleAssignmentsService,
    ReservedRoleNamesService,
    RoleMembersService,
    DefaultRoleCheck,
    EffectiveClaimsService,
    EffectivePermissionsService,
    RolesService,
    DefaultRoleService,
    UserRolesService,
    RoleAdminService,
    RoleViewsService,
    NamedRolesService,
    ImportedRolesService,
  ],
  exports: [
    OrganizationRolesService,
    EffectiveClaimsService,
    RolesService,
    DefaultRoleService,
    UserRolesService,
    RoleAdminService,
    RoleViewsService,
    NamedRolesService,
    ImportedRolesService,
  ],
})
export class RolesModule {}
