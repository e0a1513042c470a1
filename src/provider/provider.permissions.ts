import { definePermissions } from '../platform/access';

/** The owner of a client changes it without any of them; whoever holds `*:*` may change every one. */
export const clientPermissions = definePermissions({ read: 'oauth_client:read', create: 'oauth_client:create' });
