import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { PermissionsService } from '../grants/permissions.service';
import { GroupViewsService } from './group-views.service';
import { Group } from '../grants/group.entities';
import { GroupRepository } from '../grants/group.repository';
import { auditedGroup, groupTarget, GroupView, GroupWithRoles } from '../grants/group.views';
import { groupActs } from '../grants/group.acts';

/** The changeable part of a group. */
export interface GroupContent extends Pick<Group, 'name' | 'description'> {
  /** Null: at the top. */
  readonly parent: Group | null;
  readonly roleIds: readonly string[];
}

/**
 * Stores and audits changes of groups, and invalidates cached permissions. It checks nothing: call each method in the
 * transaction of the change, after its checks.
 */
@Injectable()
export class GroupChangesService {
  constructor(
    private readonly groups: GroupRepository,
    private readonly views: GroupViewsService,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
  ) {}

  async create(
    { id, organizationId }: Pick<Group, 'id' | 'organizationId'>,
    { parent, roleIds, ...values }: GroupContent,
  ): Promise<GroupView> {
    const path = [...(parent?.path ?? []), id];
    await this.groups.insert({ id, ...values, parentId: parent?.id ?? null, organizationId, path });
    await this.groups.replaceRoles(id, roleIds);
    const view = await this.views.find(id);
    await this.audit.record(groupActs.create, { target: groupTarget(view.group), after: auditedGroup(view) });
    return view;
  }

  /** Writes nothing when the content is the same. */
  async update(before: GroupWithRoles, content: GroupContent): Promise<GroupView> {
    const { id } = before.group;
    if (isUnchanged(before, content)) return this.views.find(id);
    const { parent, roleIds, ...values } = content;
    const parentId = parent?.id ?? null;
    await this.groups.update(id, { ...values, parentId });
    if (parentId !== before.group.parentId) {
      await this.groups.move(id, before.group.path.slice(0, -1), parent?.path ?? []);
    }
    await this.groups.replaceRoles(id, roleIds);
    const after = await this.views.find(id);
    await this.audit.record(groupActs.update, {
      target: groupTarget(after.group),
      before: auditedGroup(before),
      after: auditedGroup(after),
    });
    await this.permissions.invalidateAll();
    return after;
  }

  async delete(before: GroupWithRoles): Promise<void> {
    const { id } = before.group;
    const { memberCount } = await this.views.find(id);
    await this.groups.delete(id);
    await this.audit.record(groupActs.delete, {
      target: groupTarget(before.group),
      before: { ...auditedGroup(before), member_count: memberCount },
    });
    await this.permissions.invalidateAll();
  }
}

function isUnchanged({ group, roleIds }: GroupWithRoles, content: GroupContent): boolean {
  const { name, description, parent } = content;
  const isSameGroup = group.name === name && group.description === description;
  return isSameGroup && group.parentId === (parent?.id ?? null) && isSameSet(roleIds, content.roleIds);
}

const isSameSet = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && right.every((id) => left.includes(id));
