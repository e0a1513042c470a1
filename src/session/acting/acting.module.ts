import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { SettingsModule } from '../../settings';
import { UsersModule } from '../../users';
import { SessionStoreModule } from '../store/session-store.module';
import { ActingPolicyService } from './acting-policy.service';
import { ActingSessionRepository } from './acting-session.repository';
import { ActingSessionsService } from './acting-sessions.service';

/** Sessions in which a user acts as another. */
@Module({
  imports: [AuditModule, SettingsModule, UsersModule, SessionStoreModule],
  providers: [ActingSessionRepository, ActingSessionsService, ActingPolicyService],
  exports: [ActingSessionsService, ActingPolicyService],
})
export class ActingModule {}
