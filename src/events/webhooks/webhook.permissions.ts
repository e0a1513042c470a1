import { definePermissions } from '../../platform/access';

export const webhookPermissions = definePermissions({
  read: 'webhook:read',
  create: 'webhook:create',
  update: 'webhook:update',
  delete: 'webhook:delete',
});
