import { definePermissions } from '../../platform/access';

export const groupPermissions = definePermissions({
  read: 'group:read',
  create: 'group:create',
  update: 'group:update',
  delete: 'group:delete',
});
