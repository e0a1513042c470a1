export * from './log/audit-digest.repository';
export * from './log/audit-event.entity';
export { AuditLogRepository } from './log/audit-log.repository';
export { AuditLogService } from './log/audit-log.service';
export { AuditPositionRepository } from './log/audit-position.repository';
export type { AuditPosition, OrderedAuditEvent, TimedAuditPosition } from './log/audit-position.repository';
export * from './log/audit.module';
export * from './log/audit.service';
export { actEventsOf, changedFields, declaredActions, defineAct, hostEntry } from './log/define-act';
export type { Act, ActFields, ActInput, ActStates, AuditEntry, AuditTarget, StoredAct } from './log/define-act';
export {
  changedFieldNames,
  declaredEventTypes,
  defineFeedEvents,
  eventField,
  findEventDefinition,
} from './log/define-events';
export type { ActEvent, EventData, EventDefinition, EventSubject } from './log/define-events';
export { declaredFamilyTypes, EVENT_FAMILIES, familyEvent } from './log/event-families';
export type { FamilyEventType } from './log/event-families';
export { AuditEventDto, auditEventDto, AuditExportQueryDto } from './log/dto/audit.dto';
export { auditPermissions } from './log/audit.permissions';
export { auditRetentionDays, MIN_RETENTION_DAYS } from './log/audit.settings';
