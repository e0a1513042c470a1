import { AuditEntry } from '../../audit';
import { namedParts } from '../named-members';
import { Group } from './group.entities';
import { groupTarget } from './group.views';

/** A group, without `organizationId` for one of the service. */
type ChangedGroup = Pick<Group, 'id' | 'name'> & Partial<Pick<Group, 'organizationId'>>;

const organizationOf = ({ organizationId }: ChangedGroup): object =>
  organizationId ? { organization_id: organizationId } : {};

/** Several entries for many users, so that each user is named and no entry is large. */
export const additionEntries = (group: ChangedGroup, added: readonly string[]): AuditEntry[] =>
  namedParts(added).map((ids) => ({
    action: 'group.add_users',
    target: groupTarget(group),
    after: { ...organizationOf(group), added: added.length, added_ids: ids },
  }));

/** Same as `additionEntries`, for users who leave. */
export const removalEntries = (group: ChangedGroup, removed: readonly string[]): AuditEntry[] =>
  namedParts(removed).map((ids) => ({
    action: 'group.remove_users',
    target: groupTarget(group),
    after: { ...organizationOf(group), removed: removed.length, removed_ids: ids },
  }));
