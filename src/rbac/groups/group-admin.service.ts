import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';
import { newId } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { targetOfPlace } from '../grants/organization.views';
import { PlaceAccessService } from '../escalation/place-access.service';
import { rbacErrors } from '../grants/rbac.errors';
import { ChangeGroupDto, CreateGroupDto } from './dto/group.dto';
import { GroupAccessService } from './group-access.service';
import { GroupChangesService, GroupContent } from './group-changes.service';
import { GroupCoverService } from '../escalation/group-cover.service';
import { Group } from '../grants/group.entities';
import { OrganizationHoldersService } from '../escalation/organization-holders.service';
import { MAX_GROUP_DEPTH } from '../grants/group-depth';
import { GroupReferences, GroupReferencesService } from './group-references.service';
import { GroupRepository } from '../grants/group.repository';
import { groupTarget, GroupView, GroupWithRoles } from '../grants/group.views';
import { groupErrors } from './groups.errors';
import { groupPermissions } from './groups.permissions';

/**
 * Creates, changes and deletes groups. The caller must hold everything that the group gives to its members, before and
 * after the change.
 */
@Injectable()
export class GroupAdminService {
  constructor(
    private readonly transactions: Transactions,
    private readonly groups: GroupRepository,
    private readonly access: GroupAccessService,
    private readonly places: PlaceAccessService,
    private readonly references: GroupReferencesService,
    private readonly cover: GroupCoverService,
    private readonly holders: OrganizationHoldersService,
    private readonly changes: GroupChangesService,
  ) {}

  /**
   * Throws the errors of `PlaceAccessService.requireAll`, `validation_failed`, `system_role_protected`, `escalation_denied`,
   * `group_depth` or `name_taken`.
   */
  create(caller: Caller, body: CreateGroupDto): Promise<GroupView> {
    const { name, description, role_ids = [], organization_id: organizationId = null } = body;
    return this.transactions.run(async () => {
      await this.cover.lock();
      await this.places.requireAll(caller, groupPermissions.create, organizationId);
      const id = newId();
      const { roles, parent } = await this.references.read(role_ids, body.parent_id ?? null, organizationId);
      this.references.rejectSystemRoles(roles);
      const roleIds = roles.map((role) => role.id);
      const path = parent?.path ?? [];
      const target = parent ? groupTarget(parent) : targetOfPlace(organizationId);
      await this.cover.requireGivable(caller, { organizationId, path, roleIds }, target);
      if (path.length >= MAX_GROUP_DEPTH) throw groupErrors.groupDepth();
      if (await this.groups.isTaken({ id, name, organizationId })) throw rbacErrors.nameTaken();
      return this.changes.create({ id, organizationId }, { name, description: description ?? '', parent, roleIds });
    });
  }

  /**
   * Throws the errors of `create`, and `not_found`, `group_circle`, `last_admin`, or `reauthentication_required` when the members lose a
   * role that requires a second factor.
   */
  change(caller: Caller, id: string, body: ChangeGroupDto): Promise<GroupView> {
    return this.transactions.run(async () => {
      await this.cover.lock();
      const before = await this.find(caller, groupPermissions.update, id);
      const { group } = before;
      const { organizationId } = group;
      rejectAnotherOrganization(group, body);
      const named = await this.references.read(body.role_ids ?? [], body.parent_id ?? null, organizationId);
      const after = await this.contentAfter(before, body, named);
      this.references.rejectSystemRoles(named.roles);
      const [path, roleIds] = [after.parent?.path ?? [], after.roleIds];
      const target = groupTarget(group);
      await this.cover.requireGivable(caller, { organizationId, path, roleIds }, target, group);
      await this.cover.requireTrustedChange(caller, group, { name: after.name, path });
      await this.cover.requireRecentToEase(caller, group, { path, roleIds });
      await this.requirePlace(group, after.parent);
      if (await this.groups.isTaken({ id, name: after.name, organizationId })) throw rbacErrors.nameTaken();
      return this.holders.keepFor(caller, organizationId, () => this.changes.update(before, after));
    });
  }

  /**
   * Throws `not_found`, `escalation_denied`, `reauthentication_required` (see `change`), `last_admin`, or `in_use` for a group with
   * groups below it.
   */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.cover.lock();
      const before = await this.find(caller, groupPermissions.delete, id);
      await this.cover.requireCover(caller, before.group, groupTarget(before.group));
      await this.cover.requireRecentToEase(caller, before.group, { path: [] });
      if (await this.groups.hasChildren(id)) throw rbacErrors.inUse();
      await this.holders.keepFor(caller, before.group.organizationId, () => this.changes.delete(before));
    });
  }

  private async find(caller: Caller, permission: string, id: string): Promise<GroupWithRoles> {
    const group = await this.access.find(caller, permission, id);
    return { group, roleIds: (await this.groups.rolesOf([id])).get(id) ?? [] };
  }

  /** Fields that the body leaves out stay the same. */
  private async contentAfter(
    { group, roleIds }: GroupWithRoles,
    body: ChangeGroupDto,
    named: GroupReferences,
  ): Promise<GroupContent> {
    return {
      name: body.name ?? group.name,
      description: body.description === undefined ? group.description : (body.description ?? ''),
      parent: body.parent_id === undefined ? await this.parentOf(group) : named.parent,
      roleIds: body.role_ids === undefined ? roleIds : named.roles.map(({ id }) => id),
    };
  }

  private async parentOf({ parentId }: Group): Promise<Group | null> {
    return parentId === null ? null : this.groups.findById(parentId);
  }

  private async requirePlace(group: Group, parent: Group | null): Promise<void> {
    if (!parent || parent.id === group.parentId) return;
    if (parent.path.includes(group.id)) throw groupErrors.groupCircle();
    const depth = parent.path.length + (await this.groups.heightOf(group.id));
    if (depth > MAX_GROUP_DEPTH) throw groupErrors.groupDepth();
  }
}

/** Its members, its place and its roles would not fit another organization. Throws `validation_failed`. */
function rejectAnotherOrganization({ organizationId }: Group, { organization_id: wanted }: ChangeGroupDto): void {
  if (wanted === undefined || wanted === organizationId) return;
  throw platformErrors.validationFailed({ fields: [{ field: 'organization_id', code: 'immutable' }] });
}
