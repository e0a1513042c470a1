import { definePermissions } from '../../platform/access';

export const loginMethodPermissions = definePermissions({ read: 'login_method:read', update: 'login_method:update' });
