import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { AvatarsModule } from '../users/avatars';
import { InvitationsModule } from '../organizations/invitations';
import { OrganizationSettingsModule } from '../organizations/settings';
import { MfaModule } from '../mfa';
import { Feature } from '../platform/feature';
import { RbacModule } from '../rbac';
import { LoginModule } from './login';
import { SessionModule } from '../session';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
import { VerificationModule } from '../verification';
import { AcceptedTermsService } from './accepted-terms.service';
import { AccountStreamsService } from './account-streams.service';
import { AdministratorsService } from './administrators.service';
import { AuthController } from './auth.controller';
import { LoginCookiesService } from './login-cookies.service';
import { ContactCodeProofService } from './contact-code-proof.service';
import { ContactsService } from './contacts.service';
import { FirstAdministratorService } from './first-administrator.service';
import { InvitedApplicantsService } from './invited-applicants.service';
import { InvitedRegistrationService } from './invited-registration.service';
import { MeDeletionController } from './me-deletion.controller';
import { MeController } from './me.controller';
import { OpenRegistrationGuard } from './open-registration.guard';
import { OwnAccountDeletionService } from './own-account-deletion.service';
import { OwnAccountService } from './own-account.service';
import { PasswordReplacementService } from './password-replacement.service';
import { PasswordResetProofService } from './password-reset-proof.service';
import { PasswordResetService } from './password-reset.service';
import { PasswordService } from './password.service';
import { ProfileService } from './profile.service';
import { ReauthenticationService } from './reauthentication.service';
import { RegisteredAccountsService } from './registered-accounts.service';
import { RegistrationAvailabilityService } from './registration-availability.service';
import { RegistrationFieldsGuard } from './registration-fields.guard';
import { RegistrationFieldsService } from './registration-fields.service';
import { RegistrationGuard } from './registration.guard';
import { RegistrationService } from './registration.service';
import { RequestedDeletionsJob } from './requested-deletions.job';
import { RequestedDeletionsService } from './requested-deletions.service';
import { SecondFactorReauthenticationService } from './second-factor-reauthentication.service';
import { MfaChallengeController } from './mfa-challenge.controller';
import { TermsController } from './terms.controller';
import { UserSearchController } from './user-search.controller';
import { UserSearchService } from './user-search.service';

@Module({
  imports: [
    AuditModule,
    AvatarsModule,
    SettingsModule,
    UsersModule,
    RbacModule,
    SessionModule,
    VerificationModule,
    InvitationsModule,
    OrganizationSettingsModule,
    MfaModule,
    LoginModule,
  ],
  controllers: [
    AuthController,
    MfaChallengeController,
    MeDeletionController,
    MeController,
    TermsController,
    UserSearchController,
  ],
  providers: [
    SecondFactorReauthenticationService,
    LoginCookiesService,
    RegistrationAvailabilityService,
    RegistrationService,
    RegisteredAccountsService,
    InvitedApplicantsService,
    InvitedRegistrationService,
    RegistrationGuard,
    OpenRegistrationGuard,
    RegistrationFieldsGuard,
    RegistrationFieldsService,
    ContactsService,
    ProfileService,
    AcceptedTermsService,
    OwnAccountService,
    AccountStreamsService,
    OwnAccountDeletionService,
    RequestedDeletionsService,
    RequestedDeletionsJob,
    PasswordService,
    PasswordResetService,
    PasswordResetProofService,
    PasswordReplacementService,
    ReauthenticationService,
    ContactCodeProofService,
    UserSearchService,
    AdministratorsService,
    FirstAdministratorService,
  ],
  exports: [
    LoginCookiesService,
    RegistrationAvailabilityService,
    RegistrationFieldsService,
    RegistrationService,
    RegistrationGuard,
  ],
})
export class AuthModule {}

export const authFeature: Feature = {
  module: AuthModule,
  tags: {
    Authentication: 'Registration, login, codes and reauthentication',
    'Own account': 'The profile, password and permissions of the logged-in user',
    Users: 'What any logged-in user may see of other users',
  },
};
