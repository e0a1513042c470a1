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

/** With each of them, roles are given in an organization. Some belong to features that build on organizations. */
export const ROLE_GIVING_PERMISSIONS = [
  organizationMemberPermissions.update,
  'group:create',
  'group:update',
  'invitation:create',
  'organization_domain:update',
] as const;
