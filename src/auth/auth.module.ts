import { DynamicModule, Injectable, Module, Provider, Type } from '@nestjs/common';
import { LoginMethod, LoginMethods } from '../session';
import { Administrators } from './administrators.service';
import { AuthController } from './auth.controller';
import { AvatarController } from './avatar.controller';
import { BrowserLogin } from './browser-login';
import { ContactsService } from './contacts.service';
import { FirstAdministrator } from './first-administrator';
import { LoginService } from './login.service';
import { MeController } from './me.controller';
import { PasswordLoginMethod } from './password/password-login.method';
import { PasswordService } from './password/password.service';
import { ProfileService } from './profile.service';
import { RegistrationService } from './registration.service';
import { UserSearchController } from './user-search.controller';
import { UserSearchService } from './user-search.service';

/** What the composition root decides for this module. */
export interface AuthParts {
  readonly providers: readonly Provider[];
  readonly loginMethods: readonly Type<LoginMethod>[];
}

const OWN_METHODS = [PasswordLoginMethod];

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
      controllers: [AuthController, MeController, UserSearchController, AvatarController],
      providers: [
        LoginService,
        BrowserLogin,
        RegistrationService,
        ContactsService,
        ProfileService,
        PasswordService,
        UserSearchService,
        Administrators,
        FirstAdministrator,
        ...methods,
        registration(methods),
        ...providers,
      ],
    };
  }
}
