import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { Feature } from '../platform/feature';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
import { ActingController } from './acting.controller';
import { ActingCookiesService } from './acting-cookies.service';
import { JwksController } from './jwks.controller';
import { SigningKey } from './keys/signing-key.entity';
import { SigningKeysModule } from './keys/signing-keys.module';
import { KeyRotationService } from './key-rotation.service';
import { SessionAssertionsService } from './session-assertions.service';
import { SessionAuthenticatorService } from './session-authenticator.service';
import { SessionCallersService } from './session-callers.service';
import { SessionCleanupJob } from './session-cleanup.job';
import { SessionMetricsJob } from './session-metrics.job';
import { SessionKeysService } from './session-keys.service';
import { Session } from './store/session.entity';
import { SessionsController } from './sessions.controller';
import { SigningKeysController } from './signing-keys.controller';
import { SessionStoreModule } from './store/session-store.module';
import { SessionTokensModule } from './tokens/session-tokens.module';
import { ActingModule } from './acting/acting.module';
import { RefreshController } from './refresh.controller';
import { RefreshModule } from './refresh/refresh.module';

@Module({
  imports: [
    AuditModule,
    SettingsModule,
    UsersModule,
    SigningKeysModule,
    SessionStoreModule,
    SessionTokensModule,
    ActingModule,
    RefreshModule,
  ],
  controllers: [SessionsController, ActingController, RefreshController, JwksController, SigningKeysController],
  providers: [
    SessionCallersService,
    ActingCookiesService,
    SessionCleanupJob,
    SessionMetricsJob,
    KeyRotationService,
    SessionKeysService,
    SessionAuthenticatorService,
    SessionAssertionsService,
  ],
  exports: [
    SigningKeysModule,
    SessionStoreModule,
    SessionTokensModule,
    ActingModule,
    SessionAuthenticatorService,
    SessionAssertionsService,
    ActingCookiesService,
    KeyRotationService,
  ],
})
export class SessionModule {}

export const sessionFeature: Feature = {
  module: SessionModule,
  entities: [Session, SigningKey],
  tags: {
    Sessions: 'Token refresh, logout and own sessions',
    Keys: 'The signing keys and their public keys',
  },
};
