import { Module } from '@nestjs/common';
import { Feature } from '../platform/feature';
import { PermissionModule } from './permission/permission.module';
import { GrantsModule } from './grants/grants.module';
import { EscalationModule } from './escalation/escalation.module';
import { OrganizationGrantsModule } from './organizations/organization-grants.module';
import { GroupsModule } from './groups/groups.module';
import { RolesModule } from './roles/roles.module';
import { AuthorityModule } from './authority/authority.module';
import { AuthzenModule } from './authzen/authzen.module';
import { Role } from './grants/role.entity';
import { RoleGrant, UserRole, UserGrant } from './grants/grant.entities';
import { Group, GroupMember, GroupRole } from './grants/group.entities';
import { Organization } from './grants/organization.entity';
import { CatalogueEntry } from './permission/catalogue.entity';

const rooms = [
  PermissionModule,
  GrantsModule,
  EscalationModule,
  OrganizationGrantsModule,
  GroupsModule,
  RolesModule,
  AuthorityModule,
  AuthzenModule,
];

@Module({ imports: rooms, exports: rooms })
export class RbacModule {}

export const rolesFeature: Feature = {
  module: RolesModule,
  tags: { Roles: 'Named sets of permissions, and their users' },
};

export const groupsFeature: Feature = {
  module: GroupsModule,
  tags: { Groups: 'Trees of users. Members hold the roles of the group and of those above it' },
};

export const authorityFeature: Feature = { module: AuthorityModule };

export const authzenFeature: Feature = { module: AuthzenModule };

export const rbacFeature: Feature = {
  module: RbacModule,
  entities: [Role, RoleGrant, UserRole, UserGrant, Group, GroupMember, GroupRole, Organization, CatalogueEntry],
  tags: {
    AuthZEN: 'Decisions for gateways and services by the OpenID AuthZEN Authorization API 1.0',
    Permissions: 'The permissions that can be granted, and checks',
  },
};
