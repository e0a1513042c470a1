import { DynamicModule, Module } from '@nestjs/common';
import { Authority } from './authority.service';
import { GrantRepository } from './grant.repository';
import { Permissions } from './permissions.service';
import { RoleRepository } from './role.repository';
import { Roles } from './roles.service';

@Module({})
export class RbacModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: RbacModule,
      imports,
      providers: [GrantRepository, RoleRepository, Permissions, Roles, Authority],
      exports: [Permissions, Roles, Authority],
    };
  }
}
