import type { components } from '../../api/schema';

export type AuditEvent = components['schemas']['AuditEntryDto'];
