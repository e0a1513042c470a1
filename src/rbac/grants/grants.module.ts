import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { UsersModule } from '../../users';
import { RepositoriesModule } from '../../platform/database';
import { RoleGrant, UserGrant, UserRole } from './grant.entities';
import { GrantRepository } from './grant.repository';
import { GroupMemberRepository } from './group-member.repository';
import { Group, GroupRole } from './group.entities';
import { GroupRepository } from './group.repository';
import { MemberRepository } from './member.repository';
import { MembershipsService } from './memberships.service';
import { OrganizationGrantRepository } from './organization-grant.repository';
import { OrganizationMemberListRepository } from './organization-member-list.repository';
import { OrganizationMemberRepository } from './organization-member.repository';
import { OrganizationRoleMemberRepository } from './organization-role-member.repository';
import { Organization } from './organization.entity';
import { OrganizationRepository } from './organization.repository';
import { PermissionsService } from './permissions.service';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';
import { SetUpRegistry } from './set-up.registry';
import { UserGroupCache } from './user-group.cache';
import { UserRoleCache } from './user-role.cache';
import { PermissionModule } from '../permission/permission.module';

const providers = [
  RoleRepository,
  GrantRepository,
  MemberRepository,
  GroupRepository,
  GroupMemberRepository,
  OrganizationRepository,
  OrganizationMemberRepository,
  OrganizationMemberListRepository,
  OrganizationGrantRepository,
  OrganizationRoleMemberRepository,
  MembershipsService,
  PermissionsService,
  UserRoleCache,
  UserGroupCache,
  SetUpRegistry,
];

/** What is stored of roles, groups, organizations and grants, and what a user holds by them. */
@Module({
  imports: [
    RepositoriesModule.forFeature([RoleGrant, UserGrant, Group, GroupRole, UserRole, Organization, Role]),
    AuditModule,
    UsersModule,
    PermissionModule,
  ],
  providers,
  exports: providers,
})
export class GrantsModule {}
