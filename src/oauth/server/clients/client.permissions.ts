import { definePermissions } from '../../../platform/access';

/**
 * The owner of a client needs no permission to change it. A holder of `*:*` may change every client, and holders of `update`
 * and `delete` those of organizations.
 */
export const clientPermissions = definePermissions({
  read: 'oauth_client:read',
  create: 'oauth_client:create',
  update: 'oauth_client:update',
  delete: 'oauth_client:delete',
});
