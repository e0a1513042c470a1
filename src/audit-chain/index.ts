export * from './audit-chain.module';
export { AuditVerificationService } from './audit-verification.service';
export type { ChainFault, ChainReport } from './chain-report';
