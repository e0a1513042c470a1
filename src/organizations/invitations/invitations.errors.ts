import { defineErrors } from '../../platform/errors';

export const invitationErrors = defineErrors({
  invitationForAnother: 403,
  invitationSuspended: 409,
  alreadyInvited: 409,
  channelUnavailable: 409,
});
