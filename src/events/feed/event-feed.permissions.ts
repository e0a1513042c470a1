import { definePermissions } from '../../platform/access';

export const eventPermissions = definePermissions({ read: 'event:read' });
