import { defineAct, familyEvent } from '../../audit';

export interface GroupState {
  readonly name: string;
  readonly description: string;
  readonly parent_id: string | null;
  readonly organization_id?: string;
  readonly role_ids: readonly string[];
}

export const groupActs = {
  create: defineAct<{ after: GroupState }>('group.create', familyEvent('group.created')),
  update: defineAct<{ before: GroupState; after: GroupState }>('group.update', familyEvent('group.updated')),
  delete: defineAct<{ before: GroupState & { readonly member_count: number } }>(
    'group.delete',
    familyEvent('group.deleted'),
  ),
  addUsers: defineAct<{
    after: { readonly organization_id?: string; readonly added: number; readonly added_ids: readonly string[] };
  }>('group.add_users', familyEvent('group.users_added')),
  removeUsers: defineAct<{
    after: { readonly organization_id?: string; readonly removed: number; readonly removed_ids: readonly string[] };
  }>('group.remove_users', familyEvent('group.users_removed')),
};
