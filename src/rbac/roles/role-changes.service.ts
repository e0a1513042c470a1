import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { newId } from '../../platform/crypto';
import { isSameGrants } from '../permission/change-grants';
import { GrantRepository } from '../grants/grant.repository';
import { ANYWHERE, GroupRepository } from '../grants/group.repository';
import { Grant } from '../permission';
import { PermissionsService } from '../grants/permissions.service';
import { RoleViewsService } from './role-views.service';
import { Role } from '../grants/role.entity';
import { RoleRepository } from '../grants/role.repository';
import { AssignedRole, auditedRole, RoleView, targetOf } from '../grants/role.views';
import { roleActs } from '../grants/role.acts';

/** Limits the ids of groups in the audit event of a deletion. */
const MAX_NAMED_GROUPS = 100;

/** Where the name of a role is unique, for good. */
export type RolePlace = Pick<Role, 'scope' | 'organizationId'>;

/** The changeable part of a role. */
export interface RoleContent extends Pick<Role, 'name' | 'description' | 'mfaRequired'> {
  readonly grants: readonly Grant[];
}

/**
 * Stores and audits changes of roles, and invalidates cached permissions. It checks nothing: call each method in the
 * transaction of the change, after its checks.
 */
@Injectable()
export class RoleChangesService {
  constructor(
    private readonly roles: RoleRepository,
    private readonly grants: GrantRepository,
    private readonly groups: GroupRepository,
    private readonly views: RoleViewsService,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
  ) {}

  async create(place: RolePlace, { grants, ...values }: RoleContent): Promise<RoleView> {
    const id = newId();
    await this.roles.insert({ id, ...place, ...values });
    await this.grants.replaceOfRole(id, grants);
    const view = await this.views.find(id);
    await this.audit.record(roleActs.create, { target: targetOf(view.role), after: auditedRole(view) });
    return view;
  }

  /** Writes nothing when the content is the same. */
  async update(before: AssignedRole, content: RoleContent): Promise<RoleView> {
    if (isUnchanged(before, content)) return this.views.one(before.role);
    const { id } = before.role;
    const { grants, ...values } = content;
    await this.roles.update(before.role, values);
    await this.grants.replaceOfRole(id, grants);
    const after = await this.views.find(id);
    await this.audit.record(roleActs.update, {
      target: targetOf(after.role),
      before: auditedRole(before),
      after: auditedRole(after),
    });
    await this.permissions.invalidateAll();
    return after;
  }

  async delete(before: AssignedRole): Promise<void> {
    const { userCount } = await this.views.one(before.role);
    const filter = { organizationId: ANYWHERE, roleId: before.role.id };
    const groups = await this.groups.list(filter, { limit: MAX_NAMED_GROUPS, offset: 0 });
    const { total: groupCount } = await this.groups.count(filter);
    await this.roles.delete(before.role.id);
    await this.audit.record(roleActs.delete, {
      target: targetOf(before.role),
      before: {
        ...auditedRole(before),
        user_count: userCount,
        group_count: groupCount,
        group_ids: groups.map(({ id }) => id),
      },
    });
    await this.permissions.invalidateAll();
  }
}

function isUnchanged({ role, grants }: AssignedRole, content: RoleContent): boolean {
  const { name, description, mfaRequired } = content;
  const isSameRole = role.name === name && role.description === description && role.mfaRequired === mfaRequired;
  return isSameRole && isSameGrants(grants, content.grants);
}
