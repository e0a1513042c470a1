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
import { AcceptedTermsService } from './terms/accepted-terms.service';
import { AccountStreamsService } from './account/account-streams.service';
import { AdministratorsService } from './administrators.service';
import { AuthController } from './auth.controller';
import { LoginCookiesService } from './login-cookies.service';
import { ContactCodeProofService } from './contact-code-proof.service';
import { ContactsService } from './account/contacts.service';
import { FirstAdministratorService } from './first-administrator.service';
import { InvitedApplicantsService } from './registration/invited-applicants.service';
import { InvitedRegistrationService } from './registration/invited-registration.service';
import { MeDeletionController } from './account/me-deletion.controller';
import { MeController } from './me.controller';
import { OpenRegistrationGuard } from './registration/open-registration.guard';
import { OwnAccountDeletionService } from './account/own-account-deletion.service';
import { OwnAccountService } from './account/own-account.service';
import { PasswordReplacementService } from './password/password-replacement.service';
import { PasswordResetProofService } from './password/password-reset-proof.service';
import { PasswordResetService } from './password/password-reset.service';
import { PasswordService } from './password/password.service';
import { ProfileService } from './account/profile.service';
import { ReauthenticationService } from './reauthentication.service';
import { RegisteredAccountsService } from './registration/registered-accounts.service';
import { RegistrationAvailabilityService } from './registration/registration-availability.service';
import { RegistrationFieldsGuard } from './registration/registration-fields.guard';
import { RegistrationFieldsService } from './registration/registration-fields.service';
import { RegistrationGuard } from './registration/registration.guard';
import { RegistrationService } from './registration/registration.service';
import { RequestedDeletionsJob } from './account/requested-deletions.job';
import { RequestedDeletionsService } from './account/requested-deletions.service';
import { SecondFactorReauthenticationService } from './second-factor-reauthentication.service';
import { MfaChallengeController } from './mfa-challenge.controller';
import { TermsController } from './terms/terms.controller';
import { UserSearchController } from './account/user-search.controller';
import { UserSearchService } from './account/user-search.service';

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
