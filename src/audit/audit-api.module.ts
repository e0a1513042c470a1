import { DynamicModule, Module } from '@nestjs/common';
import { AuditLogRepository } from './audit-log.repository';
import { AuditLog } from './audit-log.service';
import { AuditRetention } from './audit-retention';
import { AuditController } from './audit.controller';

/** Reading and retention: apart from writing, because settings write to the audit and retention reads a setting. */
@Module({})
export class AuditApiModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: AuditApiModule,
      imports,
      controllers: [AuditController],
      providers: [AuditLogRepository, AuditLog, AuditRetention],
    };
  }
}
