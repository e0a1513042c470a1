import { AuditTarget } from '../../audit';
import { maskTarget } from '../../messaging';
import type { InvitationState } from '../organization.acts';
import { Invitation } from './invitation.entities';

export type InvitationView = Omit<Invitation, 'tokenDigest'> & {
  /** The roles that still exist. */
  readonly roleIds: readonly string[];
};

export const maskedContact = ({ channel, target }: Pick<Invitation, 'channel' | 'target'>): string =>
  maskTarget(channel, target);

/** The audit target of an invitation. */
export const invitationTarget = (
  invitation: Pick<Invitation, 'id' | 'organizationId' | 'channel' | 'target'>,
): AuditTarget => ({
  type: 'invitation',
  id: invitation.id,
  label: maskedContact(invitation),
  organizationId: invitation.organizationId,
});

/** An invitation in the audit log. */
export const auditedInvitation = ({
  organizationId,
  inviterId,
  roleIds,
  expiresAt,
  ...invitation
}: InvitationView): InvitationState => ({
  organization_id: organizationId,
  inviter_id: inviterId,
  channel: invitation.channel,
  contact: maskedContact(invitation),
  role_ids: roleIds,
  expires_at: expiresAt.toISOString(),
});
