import { Act, defineAct, familyEvent } from '../audit';
import type { OrganizationState } from '../rbac';

export interface DomainState {
  readonly domain: string;
  readonly verified: boolean;
  readonly members_join: boolean;
  readonly role_ids: readonly string[];
  readonly set_by: string | null;
}

export interface InvitationState {
  readonly organization_id: string;
  readonly inviter_id: string | null;
  readonly channel: string;
  readonly contact: string;
  readonly role_ids: readonly string[];
  readonly expires_at: string;
}

export const organizationActs = {
  create: defineAct<{ after: OrganizationState }>('organization.create', familyEvent('organization.created')),
  update: defineAct<{ before: OrganizationState; after: OrganizationState }>(
    'organization.update',
    familyEvent('organization.updated'),
  ),
  delete: defineAct<{ before: OrganizationState & object }>('organization.delete', familyEvent('organization.deleted')),
  updateSettings: defineAct<{ before: object; after: object }>(
    'organization.update_settings',
    familyEvent('organization.settings_updated'),
  ),
};

export type DomainChange = Act<{ before: DomainState; after: DomainState }>;

/** Acts on the domains of organizations. The target is the organization. */
export const domainActs = {
  add: defineAct<{ after: DomainState }>('organization.add_domain', familyEvent('organization.domain_added')),
  verify: defineAct<{ before: DomainState; after: DomainState }>(
    'organization.verify_domain',
    familyEvent('organization.domain_verified'),
  ),
  update: defineAct<{ before: DomainState; after: DomainState }>(
    'organization.update_domain',
    familyEvent('organization.domain_updated'),
  ),
  remove: defineAct<{ before: DomainState }>('organization.remove_domain', familyEvent('organization.domain_removed')),
};

export const invitationActs = {
  create: defineAct<{ after: InvitationState }>('invitation.create', familyEvent('invitation.created')),
  resend: defineAct<{ before: InvitationState; after: InvitationState }>(
    'invitation.resend',
    familyEvent('invitation.resent'),
  ),
  withdraw: defineAct<{ before: InvitationState }>('invitation.withdraw', familyEvent('invitation.withdrawn')),
  disable: defineAct<{ before: InvitationState; after: InvitationState }>(
    'invitation.disable',
    familyEvent('invitation.disabled'),
  ),
  accept: defineAct<{ after: InvitationState & { readonly user_id: string } }>(
    'invitation.accept',
    familyEvent('invitation.accepted'),
  ),
};
