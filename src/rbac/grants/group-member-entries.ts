import { AuditEntry } from '../../audit';
import { namedParts } from './named-members';
import { groupTarget, NamedGroup } from './group.views';
import { groupActs } from './group.acts';

const organizationOf = ({ organizationId }: NamedGroup): object =>
  organizationId ? { organization_id: organizationId } : {};

/** Several entries for many users, so that each user is named and no entry is large. */
export const additionEntries = (group: NamedGroup, added: readonly string[]): AuditEntry[] =>
  namedParts(added).map((ids) =>
    groupActs.addUsers({
      target: groupTarget(group),
      after: { ...organizationOf(group), added: added.length, added_ids: ids },
    }),
  );

/** Same as `additionEntries`, for users who leave. */
export const removalEntries = (group: NamedGroup, removed: readonly string[]): AuditEntry[] =>
  namedParts(removed).map((ids) =>
    groupActs.removeUsers({
      target: groupTarget(group),
      after: { ...organizationOf(group), removed: removed.length, removed_ids: ids },
    }),
  );
