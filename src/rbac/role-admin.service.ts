import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { RecentLoginService } from '../platform/access';
import { Environment } from '../platform/config';
import { Caller } from '../platform/context';
import { newId } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { listByPage, PageAnswer, pageOf } from '../platform/lists';
import { PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { changeGrants, isSameGrants } from './change-grants';
import { DefaultRoleService } from './default-role.service';
import { ChangeRoleDto, CreateRoleDto, ListRolesDto } from './dto/role.dto';
import { GrantRepository } from './grant.repository';
import { Grant } from './permission';
import { PermissionInputsService } from './permission-inputs.service';
import { PermissionsService } from './permissions.service';
import { rbacErrors } from './rbac.errors';
import { RoleViewsService } from './role-views.service';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';
import { auditedRole, AssignedRole, RoleView, targetOf } from './role.views';
import { isReservedRoleName } from './system-roles';

/** Computes the new grants of a role from its present ones. */
type GrantPlan = (before: readonly Grant[]) => readonly Grant[];

/** Role administration. */
@Injectable()
export class RoleAdminService {
  constructor(
    private readonly environment: Environment,
    private readonly transactions: Transactions,
    private readonly roles: RoleRepository,
    private readonly grants: GrantRepository,
    private readonly views: RoleViewsService,
    private readonly inputs: PermissionInputsService,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly defaultRole: DefaultRoleService,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
    private readonly recentLogins: RecentLoginService,
  ) {}

  async list(query: ListRolesDto): Promise<PageAnswer<RoleView>> {
    const page = pageOf(query);
    const [roles, total] = [await this.roles.list(query, page), await this.roles.count(query)];
    return listByPage(page, await this.views.counted(roles), total);
  }

  /** Throws `not_found`. */
  async find(id: string): Promise<RoleView> {
    const role = await this.roles.findById(id);
    if (!role) throw platformErrors.notFound();
    return this.views.one(role);
  }

  /** By name, in this service's scope by default. Throws `not_found`. */
  async findNamed(name: string, scope = this.environment.serviceScope): Promise<RoleView> {
    const role = await this.roles.findByName(scope, name);
    if (!role) throw platformErrors.notFound();
    return this.views.one(role);
  }

  /** Throws `validation_failed`, `escalation_denied` or `name_taken`. */
  create(caller: Caller, body: CreateRoleDto): Promise<RoleView> {
    const grants = this.inputs.grants('permissions', body.permissions ?? []);
    const { name, scope = this.environment.serviceScope } = body;
    return this.transactions.run(async () => {
      await this.escalationGuard.requireCover(caller, grants);
      await this.requireFree(scope, name);
      const id = newId();
      await this.roles.insert({
        id,
        scope,
        name,
        description: body.description ?? '',
        mfaRequired: body.mfa_required ?? false,
      });
      await this.grants.replaceOfRole(id, grants);
      const view = await this.find(id);
      await this.audit.record({ action: 'role.create', target: targetOf(view.role), after: auditedRole(view) });
      return view;
    });
  }

  /**
   * Throws `validation_failed`, `not_found`, `system_role_protected`, `escalation_denied`, `name_taken`, or
   * `reauthentication_required` when the change removes the second-factor requirement.
   */
  change(caller: Caller, id: string, body: ChangeRoleDto): Promise<RoleView> {
    const plan = this.planOf(body);
    return this.transactions.run(async () => {
      const before = await this.changeable(id, asksOnlyForSecondFactors(body));
      const grants = plan(before.grants);
      await this.escalationGuard.requireCover(caller, [...before.grants, ...grants], targetOf(before.role));
      const mfaRequired = body.mfa_required ?? before.role.mfaRequired;
      if (!mfaRequired) await this.requireRecentToEase(caller, before.role);
      const name = body.name ?? before.role.name;
      if (name !== before.role.name) await this.rename(before.role, name);
      const description = body.description === undefined ? before.role.description : (body.description ?? '');
      if (isUnchanged(before, { name, description, mfaRequired, grants })) return this.views.one(before.role);
      await this.roles.update(id, { name, description, mfaRequired });
      await this.grants.replaceOfRole(id, grants);
      const after = await this.find(id);
      await this.audit.record({
        action: 'role.update',
        target: targetOf(after.role),
        before: auditedRole(before),
        after: auditedRole(after),
      });
      await this.permissions.invalidateAll();
      return after;
    });
  }

  /** Throws the errors of `change` that concern an existing role, and `in_use` for the default role. */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      const before = await this.changeable(id);
      await this.escalationGuard.requireCover(caller, before.grants, targetOf(before.role));
      await this.requireRecentToEase(caller, before.role);
      if (await this.defaultRole.is(before.role)) throw rbacErrors.inUse();
      const { userCount } = await this.views.one(before.role);
      await this.roles.delete(id);
      await this.audit.record({
        action: 'role.delete',
        target: targetOf(before.role),
        before: { ...auditedRole(before), user_count: userCount },
      });
      await this.permissions.invalidateAll();
    });
  }

  /** Requires a recent login, so that a stolen cookie is not enough to remove the second-factor requirement. */
  private async requireRecentToEase(caller: Caller, { mfaRequired }: Role): Promise<void> {
    if (mfaRequired) await this.recentLogins.require(caller);
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

  private async changeable(id: string, evenOfSystem = false): Promise<AssignedRole> {
    await this.escalationGuard.lock();
    const role = await this.roles.findById(id);
    if (!role) throw platformErrors.notFound();
    if (role.isSystem && !evenOfSystem) throw rbacErrors.systemRoleProtected();
    return { role, grants: await this.grants.ofRoles([id]) };
  }

  private async rename(role: Role, name: string): Promise<void> {
    await this.requireFree(role.scope, name);
    if (await this.defaultRole.is(role)) await this.defaultRole.follow(name);
  }

  private async requireFree(scope: string, name: string): Promise<void> {
    if (isReservedRoleName(name) || (await this.roles.findByName(scope, name))) throw rbacErrors.nameTaken();
  }
}

/** The code defines a system role's grants, but operators choose whether it requires a second factor. */
function asksOnlyForSecondFactors({ mfa_required: mfaRequired, ...others }: ChangeRoleDto): boolean {
  const values: unknown[] = Object.values(others);
  return mfaRequired !== undefined && values.every((value) => value === undefined);
}

function isUnchanged(
  before: AssignedRole,
  after: Pick<Role, 'name' | 'description' | 'mfaRequired'> & { grants: readonly Grant[] },
): boolean {
  const { role, grants } = before;
  const { name, description, mfaRequired } = after;
  const isSameRole = role.name === name && role.description === description && role.mfaRequired === mfaRequired;
  return isSameRole && isSameGrants(grants, after.grants);
}
