import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { changeGrants } from '../permission/change-grants';
import { ChangeableRolesService } from '../escalation/changeable-roles.service';
import { OrganizationHoldersService } from '../escalation/organization-holders.service';
import { DefaultRoleService } from './default-role.service';
import { ChangeRoleDto, CreateRoleDto } from './dto/role.dto';
import { Grant } from '../permission';
import { PermissionInputsService } from '../permission/permission-inputs.service';
import { rbacErrors } from '../grants/rbac.errors';
import { rolePermissions } from '../grants/rbac.permissions';
import { RoleChangesService, RolePlace } from './role-changes.service';
import { Role } from '../grants/role.entity';
import { RoleRepository } from '../grants/role.repository';
import { RoleView } from '../grants/role.views';
import { isReservedRoleName } from '../grants/system-roles';

/** So that no list of roles to give grows without a bound. */
const MAX_ROLES_OF_ORGANIZATION = 1_000;

/** Computes the new grants of a role from its present ones. */
type GrantPlan = (before: readonly Grant[]) => readonly Grant[];

/** Creates, changes and deletes roles. The caller must hold a role's permissions before and after the change. */
@Injectable()
export class RoleAdminService {
  constructor(
    private readonly environment: Environment,
    private readonly transactions: Transactions,
    private readonly roles: RoleRepository,
    private readonly inputs: PermissionInputsService,
    private readonly changeable: ChangeableRolesService,
    private readonly defaultRole: DefaultRoleService,
    private readonly holders: OrganizationHoldersService,
    private readonly changes: RoleChangesService,
  ) {}

  /** Throws `validation_failed`, the errors of `ChangeableRolesService.requireNew`, `name_taken` or `too_many_roles`. */
  create(caller: Caller, body: CreateRoleDto): Promise<RoleView> {
    const grants = this.inputs.grants('permissions', body.permissions ?? []);
    const { name, scope = this.environment.serviceScope, organization_id: organizationId = null } = body;
    const mfaRequired = body.mfa_required ?? false;
    return this.transactions.run(async () => {
      await this.changeable.requireNew(caller, organizationId, grants);
      await this.requireFree({ scope, organizationId }, name);
      if (organizationId !== null) await this.requireRoom(organizationId);
      const content = { name, description: body.description ?? '', mfaRequired, grants };
      return this.changes.create({ scope, organizationId }, content);
    });
  }

  /**
   * Throws `validation_failed`, `not_found`, `system_role_protected`, `escalation_denied`, `name_taken`, `last_admin`, or
   * `reauthentication_required` when the change removes the second-factor requirement.
   */
  change(caller: Caller, id: string, body: ChangeRoleDto): Promise<RoleView> {
    const plan = this.planOf(body);
    return this.transactions.run(async () => {
      const before = await this.changeable.find(caller, rolePermissions.update, id, asksOnlyForSecondFactors(body));
      rejectAnotherOrganization(before.role, body);
      const grants = plan(before.grants);
      await this.changeable.requireCover(caller, before.role, [...before.grants, ...grants]);
      const mfaRequired = body.mfa_required ?? before.role.mfaRequired;
      if (!mfaRequired) await this.changeable.requireRecentToEase(caller, before.role);
      const name = body.name ?? before.role.name;
      if (name !== before.role.name) await this.rename(before.role, name);
      const description = body.description === undefined ? before.role.description : (body.description ?? '');
      return this.holders.keepFor(caller, before.role.organizationId, () =>
        this.changes.update(before, { name, description, mfaRequired, grants }),
      );
    });
  }

  /** Throws the errors of `change` that concern an existing role, and `in_use` for the default role. */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      const before = await this.changeable.find(caller, rolePermissions.delete, id);
      await this.changeable.requireCover(caller, before.role, before.grants);
      await this.changeable.requireRecentToEase(caller, before.role);
      if (await this.defaultRole.is(before.role)) throw rbacErrors.inUse();
      await this.holders.keepFor(caller, before.role.organizationId, () => this.changes.delete(before));
    });
  }

  private planOf({ add, remove, permissions }: ChangeRoleDto): GrantPlan {
    if (permissions === undefined) {
      const change = this.inputs.change(add ?? [], remove ?? []);
      return (before) => changeGrants(before, change);
    }
    if (add !== undefined || remove !== undefined) {
      throw platformErrors.validationFailed({ fields: [{ field: 'permissions', code: 'one_mode' }] });
    }
    const grants = this.inputs.grants('permissions', permissions);
    return () => grants;
  }

  private async rename(role: Role, name: string): Promise<void> {
    await this.requireFree(role, name);
    if (await this.defaultRole.is(role)) await this.defaultRole.follow(name);
  }

  /** The lock of the grants serializes requests. */
  private async requireRoom(organizationId: string): Promise<void> {
    if ((await this.roles.countOfOrganization(organizationId)) >= MAX_ROLES_OF_ORGANIZATION) {
      throw rbacErrors.tooManyRoles();
    }
  }

  private async requireFree({ scope, organizationId }: RolePlace, name: string): Promise<void> {
    const isTaken = isReservedRoleName(name) || (await this.roles.isTaken({ scope, name, organizationId }));
    if (isTaken) throw rbacErrors.nameTaken();
  }
}

/** Its users would not fit another organization. Throws `validation_failed`. */
function rejectAnotherOrganization({ organizationId }: Role, { organization_id: wanted }: ChangeRoleDto): void {
  if (wanted === undefined || wanted === organizationId) return;
  throw platformErrors.validationFailed({ fields: [{ field: 'organization_id', code: 'immutable' }] });
}

/** The code defines a system role's grants, but operators choose whether it requires a second factor. */
function asksOnlyForSecondFactors({ mfa_required: mfaRequired, ...others }: ChangeRoleDto): boolean {
  const values: unknown[] = Object.values(others);
  return mfaRequired !== undefined && values.every((value) => value === undefined);
}
