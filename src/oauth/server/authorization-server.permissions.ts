import { definePermissions } from '../../platform/access';

/** The owner of a client needs none of them to change it; a holder of `*:*` may change every client. */
export const clientPermissions = definePermissions({ read: 'oauth_client:read', create: 'oauth_client:create' });
