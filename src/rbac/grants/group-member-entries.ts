import { AuditEntry } from '../../audit';
import { namedParts } from './named-members';
import { groupTarget, NamedGroup } from './group.views';

const organizationOf = ({ organizationId }: NamedGroup): object =>
  organizationId ? { organization_id: organizationId } : {};

/** Several entries for many users, so that each user is named and no entry is large. */
export const additionEntries = (group: NamedGroup, added: readonly string[]): AuditEntry[] =>
  namedParts(added).map((ids) => ({
    action: 'group.add_users',
    target: groupTarget(group),
    after: { ...organizationOf(group), added: added.length, added_ids: ids },
  }));

/** Same as `additionEntries`, for users who leave. */
export const removalEntries = (group: NamedGroup, removed: readonly string[]): AuditEntry[] =>
  namedParts(removed).map((ids) => ({
    action: 'group.remove_users',
    target: groupTarget(group),
    after: { ...organizationOf(group), removed: removed.length, removed_ids: ids },
  }));
