import { definePermissions } from '../../platform/access';

export const auditPermissions = definePermissions({ read: 'audit:read' });
