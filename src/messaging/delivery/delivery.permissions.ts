import { definePermissions } from '../../platform/access';

export const deliveryPermissions = definePermissions({ read: 'delivery:read' });
