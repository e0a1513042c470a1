import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { SettingsModule } from '../../settings';
import { UsersModule } from '../../users';
import { ActingModule } from '../acting/acting.module';
import { SessionStoreModule } from '../store/session-store.module';
import { SessionTokensModule } from '../tokens/session-tokens.module';
import { RefreshBatcherService } from './refresh-batcher.service';
import { RefreshReuseService } from './refresh-reuse.service';
import { RefreshService } from './refresh.service';
import { RotationRepository } from './rotation.repository';
import { SessionRotationService } from './session-rotation.service';

/** New tokens for a refresh token, and the end of a session whose old token comes back. */
@Module({
  imports: [AuditModule, SettingsModule, UsersModule, SessionStoreModule, SessionTokensModule, ActingModule],
  providers: [RotationRepository, RefreshBatcherService, SessionRotationService, RefreshReuseService, RefreshService],
  exports: [RefreshService],
})
export class RefreshModule {}
