import { Injectable } from '@nestjs/common';
import { platformErrors } from '../../platform/errors';
import { rbacErrors } from '../grants/rbac.errors';
import { Role } from '../grants/role.entity';
import { RoleRepository } from '../grants/role.repository';
import { unknownRoles } from '../grants/unknown-roles';
import { Group } from '../grants/group.entities';
import { GroupRepository } from '../grants/group.repository';

/** What a body names by ids. */
export interface GroupReferences {
  readonly roles: readonly Role[];
  /** Null: at the top. */
  readonly parent: Group | null;
}

/** Reads the roles and the parent that a group is to have. */
@Injectable()
export class GroupReferencesService {
  constructor(
    private readonly groups: GroupRepository,
    private readonly roles: RoleRepository,
  ) {}

  /**
   * Throws `validation_failed` with the unknown ids of `role_ids` and `parent_id`. A parent that belongs elsewhere than to
   * the organization, or with null to the service, is unknown, and so is a role of another organization.
   */
  async read(
    roleIds: readonly string[],
    parentId: string | null,
    organizationId: string | null,
  ): Promise<GroupReferences> {
    const roles = roleIds.length === 0 ? [] : await this.roles.findWithin(organizationId, roleIds);
    const found = parentId === null ? null : await this.groups.findById(parentId);
    const parent = found?.organizationId === organizationId ? found : null;
    const fields = unknownRoles(roleIds, roles);
    if (parentId !== null && !parent) {
      fields.push({ field: 'parent_id', code: 'unknown_group', params: { id: parentId } });
    }
    if (fields.length > 0) throw platformErrors.validationFailed({ fields });
    return { roles, parent };
  }

  /**
   * System roles are assigned per user only, so that no change of a group can remove the last administrator. Throws
   * `system_role_protected`.
   */
  rejectSystemRoles(roles: readonly Role[]): void {
    if (roles.some(({ isSystem }) => isSystem)) throw rbacErrors.systemRoleProtected();
  }
}
