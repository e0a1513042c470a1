import { DynamicModule, Module } from '@nestjs/common';
import { JwksController } from './jwks.controller';
import { KeyRotation } from './key-rotation';
import { KnownDevices } from './known-devices';
import { Lockout } from './lockout';
import { LoginMethodAdministration } from './login-method-administration';
import { LoginMethodRepository } from './login-method.repository';
import { LoginMethods } from './login-methods';
import { LoginMethodsController } from './login-methods.controller';
import { RefreshController } from './refresh.controller';
import { RefreshService } from './refresh.service';
import { RotationRepository } from './rotation.repository';
import { Rotations } from './rotations';
import { SessionActivity } from './session-activity';
import { SessionAuthenticator } from './session-authenticator';
import { SessionEndings } from './session-endings';
import { SessionCleaner } from './session-cleaner';
import { SessionCookies } from './session-cookies';
import { SessionKeys } from './session-keys';
import { SessionState } from './session-state';
import { SessionRepository } from './session.repository';
import { SessionsController } from './sessions.controller';
import { Sessions } from './sessions.service';
import { SigningKeysController } from './signing-keys.controller';
import { TokenService } from './token.service';

@Module({})
export class SessionModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: SessionModule,
      imports,
      controllers: [
        SessionsController,
        RefreshController,
        JwksController,
        SigningKeysController,
        LoginMethodsController,
      ],
      providers: [
        SessionRepository,
        RotationRepository,
        Rotations,
        SessionState,
        SessionActivity,
        SessionEndings,
        SessionCleaner,
        KeyRotation,
        SessionKeys,
        TokenService,
        SessionCookies,
        RefreshService,
        Sessions,
        SessionAuthenticator,
        Lockout,
        KnownDevices,
        LoginMethodRepository,
        LoginMethods,
        LoginMethodAdministration,
      ],
      exports: [
        Sessions,
        SessionCookies,
        SessionAuthenticator,
        SessionActivity,
        SessionEndings,
        KeyRotation,
        Lockout,
        KnownDevices,
        LoginMethods,
      ],
    };
  }
}
