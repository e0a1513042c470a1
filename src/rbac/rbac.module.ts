import { DynamicModule, Module } from '@nestjs/common';
import { Authority } from './authority.service';
import { CatalogueState } from './catalogue-state';
import { CatalogueRepository } from './catalogue.repository';
import { Catalogue } from './catalogue.service';
import { DefaultRoleCheck } from './default-role.check';
import { DefaultRole } from './default-role.service';
import { GrantRepository } from './grant.repository';
import { ImportedRoles } from './imported-roles.service';
import { MemberRepository } from './member.repository';
import { PermissionChecks } from './permission-checks.service';
import { PermissionInputs } from './permission-input';
import { PermissionsController } from './permissions.controller';
import { Permissions } from './permissions.service';
import { RoleAdministration } from './role-administration.service';
import { RoleMembersController } from './role-members.controller';
import { RoleMembers } from './role-members.service';
import { RoleViews } from './role-views.service';
import { RoleRepository } from './role.repository';
import { RolesController } from './roles.controller';
import { Roles } from './roles.service';
import { UserAuthorityController } from './user-authority.controller';
import { UserGrants } from './user-grants.service';
import { UserRoles } from './user-roles.service';
import { VerifyController } from './verify.controller';

const storage = [RoleRepository, GrantRepository, MemberRepository, CatalogueRepository, CatalogueState];
const administration = [RoleAdministration, RoleMembers, RoleViews, UserGrants, PermissionInputs, DefaultRoleCheck];
const shared = [Catalogue, Permissions, PermissionChecks, Authority, Roles, DefaultRole, UserRoles, ImportedRoles];

@Module({})
export class RbacModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: RbacModule,
      imports,
      controllers: [
        RolesController,
        RoleMembersController,
        UserAuthorityController,
        PermissionsController,
        VerifyController,
      ],
      providers: [...storage, ...administration, ...shared],
      exports: shared,
    };
  }
}
