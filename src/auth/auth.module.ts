import { DynamicModule, Injectable, Module, Provider, Type } from '@nestjs/common';
import { LoginMethod, LoginMethods } from '../session';
import { Administrators } from './administrators.service';
import { AuthController } from './auth.controller';
import { AvatarController } from './avatar.controller';
import { BrowserLogin } from './browser-login';
import { EmailLoginMethod, SmsLoginMethod } from './code/code-login.method';
import { ContactsService } from './contacts.service';
import { ContactCredentials, PasskeyCredentials, PasswordCredentials } from './credentials';
import { DeferredActs } from './deferred-acts';
import { DisabledRefusal } from './disabled-refusal';
import { Entrance } from './entrance';
import { FirstAdministrator } from './first-administrator';
import { Guesses } from './guesses';
import { LastLoginMethodCheck } from './last-login-method.check';
import { LoginService } from './login.service';
import { MeController } from './me.controller';
import { OwnAccount } from './own-account';
import { PasskeyLoginController } from './passkey/passkey-login.controller';
import { PasskeyLoginMethod } from './passkey/passkey-login.method';
import { PasswordLoginMethod } from './password/password-login.method';
import { PasswordProof } from './password/password-proof';
import { PasswordReset } from './password/password-reset.service';
import { PasswordService } from './password/password.service';
import { ProfileService } from './profile.service';
import { Reauthentication } from './reauthentication.service';
import { RegistrationGuard } from './registration.guard';
import { RegistrationOpening } from './registration-opening';
import { RegistrationService } from './registration.service';
import { SecondFactorReauthentication } from './second-factor-reauthentication';
import { SecondStepController } from './second-step.controller';
import { SecondStep } from './second-step.service';
import { UserSearchController } from './user-search.controller';
import { UserSearchService } from './user-search.service';

/** What the composition root decides for this module. */
export interface AuthParts {
  readonly providers: readonly Provider[];
  readonly loginMethods: readonly Type<LoginMethod>[];
}

const OWN_METHODS = [PasswordLoginMethod, EmailLoginMethod, SmsLoginMethod, PasskeyLoginMethod];

/** Puts the built login methods into the registry, where a second one of a type is refused. */
function registration(methods: readonly Type<LoginMethod>[]): Provider {
  return {
    provide: LoginMethodsRegistration,
    inject: [LoginMethods, ...methods],
    useFactory: (registry: LoginMethods, ...built: LoginMethod[]) => {
      for (const method of built) registry.add(method);
      return new LoginMethodsRegistration();
    },
  };
}

@Injectable()
class LoginMethodsRegistration {}

@Module({})
export class AuthModule {
  static register({ providers, loginMethods }: AuthParts, ...imports: DynamicModule[]): DynamicModule {
    const methods = [...OWN_METHODS, ...loginMethods];
    return {
      module: AuthModule,
      imports,
      controllers: [
        AuthController,
        SecondStepController,
        PasskeyLoginController,
        MeController,
        UserSearchController,
        AvatarController,
      ],
      providers: [
        DeferredActs,
        DisabledRefusal,
        Entrance,
        Guesses,
        PasswordCredentials,
        ContactCredentials,
        PasskeyCredentials,
        LastLoginMethodCheck,
        LoginService,
        SecondFactorReauthentication,
        SecondStep,
        BrowserLogin,
        RegistrationOpening,
        RegistrationService,
        RegistrationGuard,
        ContactsService,
        ProfileService,
        OwnAccount,
        PasswordService,
        PasswordProof,
        PasswordReset,
        Reauthentication,
        UserSearchService,
        Administrators,
        FirstAdministrator,
        ...methods,
        registration(methods),
        ...providers,
      ],
      exports: [BrowserLogin, DeferredActs, Entrance, RegistrationOpening, RegistrationService, RegistrationGuard],
    };
  }
}
