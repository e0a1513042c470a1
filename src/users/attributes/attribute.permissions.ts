import { definePermissions } from '../../platform/access';

export const attributePermissions = definePermissions({
  read: 'attribute:read',
  create: 'attribute:create',
  update: 'attribute:update',
  delete: 'attribute:delete',
});
