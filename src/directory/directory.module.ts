import { DynamicModule, Module } from '@nestjs/common';
import { AccountAccess } from './account-access.service';
import { Accounts } from './accounts.service';
import { TargetUsers } from './target-users.service';
import { UserAccessController } from './user-access.controller';
import { UserDirectory } from './user-directory.service';
import { UserListRepository } from './user-list.repository';
import { UsersController } from './users.controller';

@Module({})
export class DirectoryModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: DirectoryModule,
      imports,
      controllers: [UsersController, UserAccessController],
      providers: [UserListRepository, UserDirectory, TargetUsers, Accounts, AccountAccess],
    };
  }
}
