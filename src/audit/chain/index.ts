export * from './audit-chain.module';
export { AuditRetentionJob } from './audit-retention.job';
export { AuditVerificationService } from './audit-verification.service';
export type { ChainFault, ChainReport, ShorterRetention } from './chain-report';
