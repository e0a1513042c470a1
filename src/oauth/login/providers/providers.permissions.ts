import { definePermissions } from '../../../platform/access';

export const providerPermissions = definePermissions({
  read: 'oauth_provider:read',
  create: 'oauth_provider:create',
  update: 'oauth_provider:update',
  delete: 'oauth_provider:delete',
});
