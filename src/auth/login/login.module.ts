import { FactoryProvider, Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { MfaModule } from '../../mfa';
import { CacheFactory } from '../../platform/cache';
import { RepositoriesModule } from '../../platform/database';
import { Feature } from '../../platform/feature';
import { hostPart } from '../../platform/host-part';
import { SettingsReader } from '../../platform/settings';
import { SessionModule } from '../../session';
import { SettingsModule } from '../../settings';
import { UsersModule } from '../../users';
import { VerificationModule } from '../../verification';
import { AuthenticationService } from './authentication.service';
import { BruteForceGuardService } from './brute-force-guard.service';
import { PasswordCredentialsService } from './password-credentials.service';
import { PasskeyCredentialsService } from './passkey-credentials.service';
import { ContactCredentialsService } from './contact-credentials.service';
import { KnownDevicesService } from './known-devices.service';
import { LastLoginMethodCheck } from './last-login-method.check';
import { LockoutService } from './lockout.service';
import { LoginCompletionService } from './login-completion.service';
import { LoginMethod } from './login-method';
import { LoginMethodSwitch } from './login-method.entity';
import { LoginMethodRegistry } from './login-method.registry';
import { LoginMethodRepository } from './login-method.repository';
import { LoginMethodsController } from './login-methods.controller';
import { LoginMethodsService } from './login-methods.service';
import { EmailLoginMethod, SmsLoginMethod } from './methods/code-login.method';
import { PasskeyLoginMethod } from './methods/passkey-login.method';
import { PasswordLoginMethod } from './methods/password-login.method';
import { MfaChallengeService } from './mfa-challenge.service';
import { MfaRequirementService } from './mfa-requirement.service';
import { PostLoginActionRegistry } from './post-login-action.registry';

const OWN_METHODS = [PasswordLoginMethod, EmailLoginMethod, SmsLoginMethod, PasskeyLoginMethod];

/** The registry, with our methods first; a host's module and our own classes provide them. */
const loginMethodRegistry: FactoryProvider = {
  provide: LoginMethodRegistry,
  inject: [CacheFactory, LoginMethodRepository, SettingsReader, hostPart(LoginMethod), ...OWN_METHODS],
  useFactory: (
    caches: CacheFactory,
    repository: LoginMethodRepository,
    settings: SettingsReader,
    hosts: readonly LoginMethod[],
    ...own: LoginMethod[]
  ) => new LoginMethodRegistry([...own, ...hosts], caches, repository, settings),
};

const shared = [
  PostLoginActionRegistry,
  LoginCompletionService,
  BruteForceGuardService,
  KnownDevicesService,
  LockoutService,
  LoginMethodsService,
  AuthenticationService,
  MfaChallengeService,
];

/** Login methods, brute-force protection, known devices and the login itself. */
@Module({
  imports: [
    RepositoriesModule.forFeature([LoginMethodSwitch]),
    AuditModule,
    SettingsModule,
    UsersModule,
    SessionModule,
    VerificationModule,
    MfaModule,
  ],
  controllers: [LoginMethodsController],
  providers: [
    ...shared,
    MfaRequirementService,
    LoginMethodRepository,
    PasswordCredentialsService,
    ContactCredentialsService,
    PasskeyCredentialsService,
    LastLoginMethodCheck,
    ...OWN_METHODS,
    loginMethodRegistry,
  ],
  exports: [...shared, LoginMethodRegistry],
})
export class LoginModule {}

export const loginFeature: Feature = {
  module: LoginModule,
  entities: [LoginMethodSwitch],
  tags: { 'Login methods': 'Which login methods are enabled' },
};
