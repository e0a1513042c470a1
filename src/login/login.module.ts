import { FactoryProvider, Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { MfaModule } from '../mfa';
import { RepositoriesModule } from '../platform/database';
import { Feature } from '../platform/feature';
import { hostPart } from '../platform/host-part';
import { SessionModule } from '../session';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
import { VerificationModule } from '../verification';
import { AuthenticationService } from './authentication.service';
import { BruteForceGuardService } from './brute-force-guard.service';
import { ContactCredentialSource, PasskeyCredentialSource, PasswordCredentialSource } from './credential-sources';
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
import { PostLoginActionRegistry } from './post-login-action.registry';

const OWN_METHODS = [PasswordLoginMethod, EmailLoginMethod, SmsLoginMethod, PasskeyLoginMethod];

/**
 * Puts the login methods, ours first, into the registry, where a second one of a type is refused. A factory and no
 * lifecycle hook: commands build the modules and do not initialise them.
 */
const methodRegistration: FactoryProvider = {
  provide: Symbol('castellan.login_methods'),
  inject: [LoginMethodRegistry, hostPart(LoginMethod), ...OWN_METHODS],
  useFactory: (registry: LoginMethodRegistry, hosts: readonly LoginMethod[], ...own: LoginMethod[]) => {
    for (const method of [...own, ...hosts]) registry.add(method);
    return registry.all();
  },
};

const shared = [
  PostLoginActionRegistry,
  LoginCompletionService,
  BruteForceGuardService,
  KnownDevicesService,
  LockoutService,
  LoginMethodsService,
  LoginMethodRegistry,
  AuthenticationService,
  MfaChallengeService,
];

/** The ways to log in: methods, brute-force counting, known devices, and the login itself. */
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
    LoginMethodRepository,
    PasswordCredentialSource,
    ContactCredentialSource,
    PasskeyCredentialSource,
    LastLoginMethodCheck,
    ...OWN_METHODS,
    methodRegistration,
  ],
  exports: shared,
})
export class LoginModule {}

export const loginFeature: Feature = {
  module: LoginModule,
  entities: [LoginMethodSwitch],
  tags: { 'Login methods': 'Which ways to log in are open' },
};
