import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { Feature } from '../platform/feature';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
import { ActingController } from './acting.controller';
import { ActingCookiesService } from './acting-cookies.service';
import { ActingPolicyService } from './acting-policy.service';
import { ActingSessionRepository } from './acting-session.repository';
import { ActingSessionsService } from './acting-sessions.service';
import { JwksController } from './jwks.controller';
import { SigningKey } from './keys/signing-key.entity';
import { SigningKeysModule } from './keys/signing-keys.module';
import { KnownVersionsService } from './known-versions.service';
import { KeyRotationService } from './key-rotation.service';
import { RefreshController } from './refresh.controller';
import { RefreshReuseService } from './refresh-reuse.service';
import { RefreshService } from './refresh.service';
import { RecentRevocationsService } from './recent-revocations.service';
import { RotationRepository } from './rotation.repository';
import { RefreshBatcherService } from './refresh-batcher.service';
import { SessionActivityService } from './session-activity.service';
import { SessionAssertionsService } from './session-assertions.service';
import { SessionAuthenticatorService } from './session-authenticator.service';
import { SessionCallersService } from './session-callers.service';
import { SessionCleanupJob } from './session-cleanup.job';
import { SessionCookiesService } from './session-cookies.service';
import { sessionJwtModule } from './session-jwt';
import { SessionMetricsJob } from './session-metrics.job';
import { SessionKeysService } from './session-keys.service';
import { SharedSessionStore } from './shared-session.store';
import { SessionCache } from './session.cache';
import { Session } from './session.entity';
import { SessionRepository } from './session.repository';
import { SessionRotationService } from './session-rotation.service';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { SigningKeysController } from './signing-keys.controller';
import { TokenService } from './token.service';

@Module({
  imports: [AuditModule, SettingsModule, UsersModule, SigningKeysModule, sessionJwtModule],
  controllers: [SessionsController, ActingController, RefreshController, JwksController, SigningKeysController],
  providers: [
    SessionRepository,
    RotationRepository,
    RefreshBatcherService,
    SessionCache,
    SharedSessionStore,
    KnownVersionsService,
    RecentRevocationsService,
    SessionActivityService,
    SessionCallersService,
    ActingSessionRepository,
    ActingSessionsService,
    ActingPolicyService,
    ActingCookiesService,
    SessionCleanupJob,
    SessionMetricsJob,
    KeyRotationService,
    SessionKeysService,
    TokenService,
    SessionCookiesService,
    SessionRotationService,
    RefreshReuseService,
    RefreshService,
    SessionsService,
    SessionAuthenticatorService,
    SessionAssertionsService,
  ],
  exports: [
    SigningKeysModule,
    SessionsService,
    SessionCookiesService,
    SessionAuthenticatorService,
    SessionAssertionsService,
    SessionActivityService,
    ActingSessionsService,
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
