import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { InvitationsModule } from '../../organizations/invitations';
import { RbacModule } from '../../rbac';
import { SettingsModule } from '../../settings';
import { UsersModule } from '../../users';
import { AvatarsModule } from '../../users/avatars';
import { VerificationModule } from '../../verification';
import { AccountModule } from '../account/account.module';
import { LoginModule } from '../login';
import { InvitedApplicantsService } from './invited-applicants.service';
import { InvitedRegistrationService } from './invited-registration.service';
import { OpenRegistrationGuard } from './open-registration.guard';
import { RegisteredAccountsService } from './registered-accounts.service';
import { RegistrationAvailabilityService } from './registration-availability.service';
import { RegistrationFieldsGuard } from './registration-fields.guard';
import { RegistrationFieldsService } from './registration-fields.service';
import { RegistrationGuard } from './registration.guard';
import { RegistrationService } from './registration.service';

const shared = [
  RegistrationAvailabilityService,
  RegistrationService,
  InvitedApplicantsService,
  InvitedRegistrationService,
  RegistrationGuard,
  OpenRegistrationGuard,
  RegistrationFieldsGuard,
  RegistrationFieldsService,
];

/** Registration: who may register, with which fields, and the account that it creates. */
@Module({
  imports: [
    AuditModule,
    AvatarsModule,
    SettingsModule,
    UsersModule,
    RbacModule,
    VerificationModule,
    InvitationsModule,
    LoginModule,
    AccountModule,
  ],
  providers: [...shared, RegisteredAccountsService],
  exports: shared,
})
export class RegistrationModule {}
