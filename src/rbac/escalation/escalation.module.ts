import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { SettingsModule } from '../../settings';
import { UsersModule } from '../../users';
import { ActingAuthorityService } from './acting-authority.service';
import { AdminWriteLimitService } from './admin-write-limit.service';
import { ChangeableRolesService } from './changeable-roles.service';
import { FullAuthorityService } from './full-authority.service';
import { GroupCoverService } from './group-cover.service';
import { OrganizationAuthorityService } from './organization-authority.service';
import { OrganizationCoverService } from './organization-cover.service';
import { OrganizationHolderRepository } from './organization-holder.repository';
import { OrganizationHoldersService } from './organization-holders.service';
import { PlaceAccessService } from './place-access.service';
import { PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { RoleAccessService } from './role-access.service';
import { RoleGivingService } from './role-giving.service';
import { TrustedUsersService } from './trusted-users.service';
import { UserCoverService } from './user-cover.service';
import { PermissionModule } from '../permission/permission.module';
import { GrantsModule } from '../grants/grants.module';

/** Who may give or take what: an actor must hold what others get. */
@Module({
  imports: [AuditModule, SettingsModule, UsersModule, PermissionModule, GrantsModule],
  providers: [
    GroupCoverService,
    PlaceAccessService,
    RoleAccessService,
    ChangeableRolesService,
    RoleGivingService,
    PrivilegeEscalationGuardService,
    FullAuthorityService,
    TrustedUsersService,
    ActingAuthorityService,
    AdminWriteLimitService,
    UserCoverService,
    OrganizationAuthorityService,
    OrganizationCoverService,
    OrganizationHolderRepository,
    OrganizationHoldersService,
  ],
  exports: [
    GroupCoverService,
    PlaceAccessService,
    RoleAccessService,
    ChangeableRolesService,
    RoleGivingService,
    PrivilegeEscalationGuardService,
    FullAuthorityService,
    ActingAuthorityService,
    AdminWriteLimitService,
    UserCoverService,
    OrganizationAuthorityService,
    OrganizationCoverService,
    OrganizationHoldersService,
  ],
})
export class EscalationModule {}
