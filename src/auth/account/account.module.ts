import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { OrganizationSettingsModule } from '../../organizations/settings';
import { RbacModule } from '../../rbac';
import { SessionModule } from '../../session';
import { SettingsModule } from '../../settings';
import { UsersModule } from '../../users';
import { VerificationModule } from '../../verification';
import { AccountStreamsService } from './account-streams.service';
import { ContactsService } from './contacts.service';
import { OwnAccountDeletionService } from './own-account-deletion.service';
import { OwnAccountService } from './own-account.service';
import { ProfileService } from './profile.service';
import { RequestedDeletionsJob } from './requested-deletions.job';
import { RequestedDeletionsService } from './requested-deletions.service';
import { UserSearchService } from './user-search.service';

/** The profile and the contacts of the logged-in user, the deletion of the account, and the search for users. */
@Module({
  imports: [
    AuditModule,
    SettingsModule,
    UsersModule,
    RbacModule,
    SessionModule,
    VerificationModule,
    OrganizationSettingsModule,
  ],
  providers: [
    AccountStreamsService,
    ContactsService,
    OwnAccountDeletionService,
    OwnAccountService,
    ProfileService,
    RequestedDeletionsJob,
    RequestedDeletionsService,
    UserSearchService,
  ],
  exports: [
    AccountStreamsService,
    ContactsService,
    OwnAccountDeletionService,
    OwnAccountService,
    ProfileService,
    UserSearchService,
  ],
})
export class AccountModule {}
