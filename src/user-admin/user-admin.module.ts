import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { MfaModule } from '../mfa';
import { Feature } from '../platform/feature';
import { RbacModule } from '../rbac';
import { LoginModule } from '../auth/login';
import { SessionModule } from '../session';
import { UsersModule } from '../users';
import { VerificationModule } from '../verification';
import { ActAsController } from './act-as.controller';
import { ActingStartService } from './acting-start.service';
import { AccountAccessService } from './account-access.service';
import { AccountBatchService } from './account-batch.service';
import { AccountClosureService } from './account-closure.service';
import { AccountCreationService } from './account-creation.service';
import { AccountPasswordService } from './account-password.service';
import { AccountSessionsService } from './account-sessions.service';
import { AccountUpdateService } from './account-update.service';
import { PasswordResetRequestsService } from './password-reset-requests.service';
import { TargetUsersService } from './target-users.service';
import { UserAccessController } from './user-access.controller';
import { UserBatchesController } from './user-batches.controller';
import { UserDetailsService } from './user-details.service';
import { UserDirectoryService } from './user-directory.service';
import { UserExportService } from './user-export.service';
import { UserFiltersService } from './user-filters.service';
import { UserListRepository } from './user-list.repository';
import { UsersController } from './users.controller';

@Module({
  imports: [AuditModule, UsersModule, RbacModule, SessionModule, LoginModule, VerificationModule, MfaModule],
  controllers: [UserBatchesController, UsersController, UserAccessController, ActAsController],
  providers: [
    PasswordResetRequestsService,
    UserListRepository,
    UserFiltersService,
    UserDetailsService,
    UserExportService,
    AccountBatchService,
    UserDirectoryService,
    TargetUsersService,
    AccountCreationService,
    AccountUpdateService,
    AccountClosureService,
    AccountAccessService,
    AccountPasswordService,
    AccountSessionsService,
    ActingStartService,
  ],
  exports: [
    UserDirectoryService,
    AccountCreationService,
    AccountUpdateService,
    AccountClosureService,
    AccountSessionsService,
  ],
})
export class UserAdminModule {}

export const userAdminFeature: Feature = {
  module: UserAdminModule,
  tags: {
    'User administration': 'Accounts of other users: contacts, status, passwords, sessions, roles and direct grants',
  },
};
