import { Module } from '@nestjs/common';
import { AuditModule } from '../log/audit.module';
import { RepositoriesModule } from '../../platform/database';
import { Feature } from '../../platform/feature';
import { AuditSenderService } from './audit-sender.service';
import { AuditSinkMetricsJob } from './audit-sink-metrics.job';
import { AuditSink } from './audit-sink.entity';
import { AuditSinkRepository } from './audit-sink.repository';
import { AuditSinksJob } from './audit-sinks.job';

/** Sends the audit log to other systems. */
@Module({
  imports: [RepositoriesModule.forFeature([AuditSink]), AuditModule],
  providers: [AuditSenderService, AuditSinkMetricsJob, AuditSinkRepository, AuditSinksJob],
})
export class AuditSinksModule {}

export const auditSinksFeature: Feature = { module: AuditSinksModule, entities: [AuditSink] };
