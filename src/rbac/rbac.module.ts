import { DynamicModule, Module } from '@nestjs/common';
import { Permissions } from './permissions.service';
import { RoleRepository } from './role.repository';
import { Roles } from './roles.service';

@Module({})
export class RbacModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: RbacModule,
      imports,
      providers: [RoleRepository, Permissions, Roles],
      exports: [Permissions, Roles],
    };
  }
}
