export { Invitation, InvitationRole } from './invitation.entities';
export * from './invitation.settings';
export { invitationErrors } from './invitations.errors';
export { InvitationAcceptanceService } from './invitation-acceptance.service';
export { InvitationTokensService } from './invitation-tokens.service';
export type { InvitationView } from './invitation.views';
export * from './invitations.module';
