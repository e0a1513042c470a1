import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { AvatarsModule } from '../users/avatars';
import { MfaModule } from '../mfa';
import { Feature } from '../platform/feature';
import { RbacModule } from '../rbac';
import { LoginModule } from './login';
import { SessionModule } from '../session';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
import { VerificationModule } from '../verification';
import { AdministratorsService } from './administrators.service';
import { AuthController } from './auth.controller';
import { LoginCookiesService } from './login-cookies.service';
import { ContactCodeProofService } from './contact-code-proof.service';
import { FirstAdministratorService } from './first-administrator.service';
import { MeController } from './me.controller';
import { ReauthenticationService } from './reauthentication.service';
import { SecondFactorReauthenticationService } from './second-factor-reauthentication.service';
import { MfaChallengeController } from './mfa-challenge.controller';
import { AccountModule } from './account/account.module';
import { MeDeletionController } from './account/me-deletion.controller';
import { UserSearchController } from './account/user-search.controller';
import { PasswordModule } from './password/password.module';
import { RegistrationModule } from './registration/registration.module';
import { TermsController } from './terms/terms.controller';
import { TermsModule } from './terms/terms.module';

@Module({
  imports: [
    AuditModule,
    AvatarsModule,
    SettingsModule,
    UsersModule,
    RbacModule,
    SessionModule,
    VerificationModule,
    MfaModule,
    LoginModule,
    AccountModule,
    PasswordModule,
    RegistrationModule,
    TermsModule,
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
    ReauthenticationService,
    ContactCodeProofService,
    AdministratorsService,
    FirstAdministratorService,
  ],
  exports: [LoginCookiesService, RegistrationModule],
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
