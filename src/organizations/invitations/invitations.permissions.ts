import { definePermissions } from '../../platform/access';

export const invitationPermissions = definePermissions({
  read: 'invitation:read',
  create: 'invitation:create',
  delete: 'invitation:delete',
});
