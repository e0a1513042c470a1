import { defineAct, familyEvent } from '../../audit';
import type { SetUp } from './set-up';

export interface OrganizationState {
  readonly slug: string;
  readonly name: string;
  readonly logo: string;
  readonly attributes: object;
  readonly mfa_required: boolean;
}

interface RoleIds {
  readonly role_ids: readonly string[];
}

interface MemberState extends RoleIds {
  readonly user_id: string;
}

interface MembersAdded extends RoleIds {
  readonly added: number;
  readonly added_ids?: readonly string[];
  readonly inviter_id?: string;
  /** Who was not admitted by the rule of a domain, and who set it. */
  readonly user_id?: string;
  readonly set_by?: string | null;
}

interface SetUpState {
  readonly user_ids: readonly string[];
  readonly set_up: readonly SetUp[];
}

/** Acts on members of organizations. The target is the organization. */
export const membershipActs = {
  add: defineAct<{ after: MembersAdded }>('organization.add_members', familyEvent('organization.members_added')),
  update: defineAct<{ before: RoleIds; after: MemberState & { readonly inviter_id?: string } }>(
    'organization.update_member',
    familyEvent('organization.member_updated'),
  ),
  remove: defineAct<{
    before: RoleIds & { readonly set_up?: readonly SetUp[] };
    after: { readonly removed: number; readonly removed_ids: readonly string[] };
  }>('organization.remove_members', familyEvent('organization.members_removed')),
  suspendSetUp: defineAct<{ after: SetUpState }>(
    'organization.suspend_set_up',
    familyEvent('organization.set_up_suspended'),
  ),
  restoreSetUp: defineAct<{ after: SetUpState }>(
    'organization.restore_set_up',
    familyEvent('organization.set_up_restored'),
  ),
  loseAdministrator: defineAct<{ after: { readonly user_ids: readonly string[] } }>(
    'organization.lose_administrator',
    familyEvent('organization.administrator_lost'),
  ),
  addPending: defineAct<{ before?: RoleIds; after: MemberState }>(
    'organization.add_pending_member',
    familyEvent('organization.pending_member_added'),
  ),
  updatePending: defineAct<{ before?: RoleIds; after: MemberState }>(
    'organization.update_pending_member',
    familyEvent('organization.pending_member_updated'),
  ),
  removePending: defineAct<{ before: RoleIds; after: { readonly user_id: string } }>(
    'organization.remove_pending_member',
    familyEvent('organization.pending_member_removed'),
  ),
};
