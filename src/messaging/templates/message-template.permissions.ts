import { definePermissions } from '../../platform/access';

export const messageTemplatePermissions = definePermissions({
  read: 'message_template:read',
  update: 'message_template:update',
});
