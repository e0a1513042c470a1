import { definePermissions } from '../platform/access';

export const settingPermissions = definePermissions({ read: 'setting:read', update: 'setting:update' });
