import { definePermissions } from '../../platform/access';

export const organizationPermissions = definePermissions({
  read: 'organization:read',
  create: 'organization:create',
  update: 'organization:update',
  delete: 'organization:delete',
});

export const organizationMemberPermissions = definePermissions({
  read: 'organization_member:read',
  update: 'organization_member:update',
});
