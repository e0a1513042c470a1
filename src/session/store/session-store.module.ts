import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { SettingsModule } from '../../settings';
import { UsersModule } from '../../users';
import { KnownVersionsService } from './known-versions.service';
import { RecentRevocationsService } from './recent-revocations.service';
import { SessionActivityService } from './session-activity.service';
import { SessionCache } from './session.cache';
import { SessionRepository } from './session.repository';
import { SessionsService } from './sessions.service';
import { SharedSessionStore } from './shared-session.store';

const shared = [
  SessionRepository,
  SessionCache,
  SessionActivityService,
  SessionsService,
  SharedSessionStore,
  KnownVersionsService,
  RecentRevocationsService,
];

/** Sessions in the database, in Redis and in memory. */
@Module({
  imports: [AuditModule, SettingsModule, UsersModule],
  providers: shared,
  exports: shared,
})
export class SessionStoreModule {}
