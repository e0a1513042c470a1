import { Module } from '@nestjs/common';
import { AuditModule } from '../log/audit.module';
import { RepositoriesModule } from '../../platform/database';
import { Feature } from '../../platform/feature';
import { AuditChainKey } from './audit-chain-key.entity';
import { AuditChainKeyRepository } from './audit-chain-key.repository';
import { AuditChainKeysService } from './audit-chain-keys.service';
import { AuditChainJob } from './audit-chain.job';
import { AuditChainService } from './audit-chain.service';
import { AuditDropsService } from './audit-drops.service';
import { AuditEventsCheckService } from './audit-events-check.service';
import { AuditRetentionListener } from './audit-retention.listener';
import { AuditRetentionJob } from './audit-retention.job';
import { AuditRoot } from './audit-root.entity';
import { AuditRootRepository } from './audit-root.repository';
import { AuditVerificationService } from './audit-verification.service';
import { SignedRetentionService } from './signed-retention.service';

/** Signed roots over the audit log, so that later changes of it can be found. */
@Module({
  imports: [RepositoriesModule.forFeature([AuditRoot, AuditChainKey]), AuditModule],
  providers: [
    AuditChainJob,
    AuditChainKeyRepository,
    AuditChainKeysService,
    AuditChainService,
    AuditDropsService,
    AuditEventsCheckService,
    AuditRetentionListener,
    AuditRetentionJob,
    AuditRootRepository,
    AuditVerificationService,
    SignedRetentionService,
  ],
})
export class AuditChainModule {}

export const auditChainFeature: Feature = { module: AuditChainModule, entities: [AuditRoot, AuditChainKey] };
