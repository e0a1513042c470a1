import { AuditTarget } from '../../audit';
import type { GroupState } from './group.acts';
import { Group } from './group.entities';

/** A group with its own roles. */
export interface GroupWithRoles {
  readonly group: Group;
  readonly roleIds: readonly string[];
}

export interface GroupView extends GroupWithRoles {
  /** Names from the group at the top to this one. */
  readonly path: readonly string[];
  /** Exact up to 10,000, then an estimate. */
  readonly memberCount: number;
}

/** A group, without `organizationId` for one of the service. */
export type NamedGroup = Pick<Group, 'id' | 'name'> & Partial<Pick<Group, 'organizationId'>>;

/** The audit target of a group. */
export const groupTarget = ({ id, name, organizationId }: NamedGroup): AuditTarget => ({
  type: 'group',
  id,
  label: name,
  ...(organizationId && { organizationId }),
});

interface AuditedGroup extends Pick<GroupWithRoles, 'roleIds'> {
  readonly group: Pick<Group, 'name' | 'description' | 'parentId'> & Partial<Pick<Group, 'organizationId'>>;
}

/** A group in the audit log. */
export const auditedGroup = ({ group, roleIds }: AuditedGroup): GroupState => ({
  name: group.name,
  description: group.description,
  parent_id: group.parentId,
  ...(group.organizationId && { organization_id: group.organizationId }),
  role_ids: roleIds,
});
