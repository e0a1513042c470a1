import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { Feature } from '../platform/feature';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
import { ActingController } from './acting.controller';
import { ActingCookiesService } from './acting-cookies.service';
import { ActingPolicyService } from './acting/acting-policy.service';
import { ActingSessionRepository } from './acting/acting-session.repository';
import { ActingSessionsService } from './acting/acting-sessions.service';
import { JwksController } from './jwks.controller';
import { SigningKey } from './keys/signing-key.entity';
import { SigningKeysModule } from './keys/signing-keys.module';
import { KnownVersionsService } from './store/known-versions.service';
import { KeyRotationService } from './key-rotation.service';
import { RefreshController } from './refresh/refresh.controller';
import { RefreshReuseService } from './refresh/refresh-reuse.service';
import { RefreshService } from './refresh/refresh.service';
import { RecentRevocationsService } from './store/recent-revocations.service';
import { RotationRepository } from './refresh/rotation.repository';
import { RefreshBatcherService } from './refresh/refresh-batcher.service';
import { SessionActivityService } from './store/session-activity.service';
import { SessionAssertionsService } from './session-assertions.service';
import { SessionAuthenticatorService } from './session-authenticator.service';
import { SessionCallersService } from './session-callers.service';
import { SessionCleanupJob } from './session-cleanup.job';
import { SessionCookiesService } from './tokens/session-cookies.service';
import { sessionJwtModule } from './tokens/session-jwt';
import { SessionMetricsJob } from './session-metrics.job';
import { SessionKeysService } from './session-keys.service';
import { SharedSessionStore } from './store/shared-session.store';
import { SessionCache } from './store/session.cache';
import { Session } from './store/session.entity';
import { SessionRepository } from './store/session.repository';
import { SessionRotationService } from './refresh/session-rotation.service';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './store/sessions.service';
import { SigningKeysController } from './signing-keys.controller';
import { TokenService } from './tokens/token.service';

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
