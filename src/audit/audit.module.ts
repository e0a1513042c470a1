import { DynamicModule, Module } from '@nestjs/common';
import { AuditPartitions } from './audit-partitions';
import { AuditRepository } from './audit.repository';
import { Audit } from './audit.service';

@Module({})
export class AuditModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return { module: AuditModule, imports, providers: [AuditRepository, Audit, AuditPartitions], exports: [Audit] };
  }
}
