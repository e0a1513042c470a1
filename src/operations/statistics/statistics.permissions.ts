import { definePermissions } from '../../platform/access';

export const statisticsPermissions = definePermissions({ read: 'statistics:read' });
