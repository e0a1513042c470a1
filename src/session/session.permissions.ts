import { definePermissions } from '../platform/access';

export const signingKeyPermissions = definePermissions({ read: 'signing_key:read', create: 'signing_key:create' });
