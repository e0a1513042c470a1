import { AuditEntry, AuditTarget } from '../../audit';
import { namedParts } from '../named-members';

/** Several entries for many users, so that each user is named and no entry is large. */
export const additionEntries = (target: AuditTarget, added: readonly string[]): AuditEntry[] =>
  namedParts(added).map((ids) => ({
    action: 'group.add_users',
    target,
    after: { added: added.length, added_ids: ids },
  }));

/** Same as `additionEntries`, for users who leave. */
export const removalEntries = (target: AuditTarget, removed: readonly string[]): AuditEntry[] =>
  namedParts(removed).map((ids) => ({
    action: 'group.remove_users',
    target,
    after: { removed: removed.length, removed_ids: ids },
  }));
