import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { FIRST_ID } from '../../platform/crypto';
import { CredentialSourceRegistry } from '../../users';
import { PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import { MemberRepository } from '../grants/member.repository';
import { PermissionsService } from '../grants/permissions.service';
import { rbacErrors } from '../grants/rbac.errors';
import { Role } from '../grants/role.entity';
import { RoleRepository } from '../grants/role.repository';
import { ADMIN_ROLE } from '../grants/system-roles';

const BATCH = 500;

/** Adds users to named roles and keeps at least one administrator who can log in. */
@Injectable()
export class RolesService {
  constructor(
    private readonly environment: Environment,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly permissions: PermissionsService,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly credentials: CredentialSourceRegistry,
  ) {}

  /** Adds the user to the named role. Call in a transaction. Returns false when the role does not exist. */
  async join(userId: string, roleName: string): Promise<boolean> {
    const role = await this.roles.findByName(this.environment.serviceScope, roleName);
    if (!role) return false;
    await this.members.join(userId, [role.id]);
    await this.permissions.invalidate(userId);
    return true;
  }

  /** Of the ids, those that belong to no role of the service. */
  async unknownAmong(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const known = new Set((await this.roles.findWithin(null, ids)).map(({ id }) => id));
    return new Set(ids.filter((id) => !known.has(id)));
  }

  /** False also before the first start, which creates the role. */
  async hasAdministrator(): Promise<boolean> {
    const role = await this.roles.findByName(this.environment.serviceScope, ADMIN_ROLE);
    return role !== null && (await this.members.hasMembers(role.id));
  }

  async isAdminRole(roleId: string): Promise<boolean> {
    return (await this.adminRole()).id === roleId;
  }

  /**
   * Throws `last_admin` when no other user could administer. Call in the transaction of the change, because the lock
   * serializes administrators who leave at the same time.
   */
  async assertNotLastAdmin(userId: string): Promise<void> {
    await this.escalationGuard.lock();
    const { id } = await this.adminRole();
    if (!(await this.members.isMember(id, userId))) return;
    if (!(await this.hasAbleMember(id, userId))) throw rbacErrors.lastAdmin();
  }

  /**
   * Runs an action that may disable ways to log in. Throws `last_admin` when no administrator could log in afterwards.
   * Call in the transaction of the change.
   */
  async keepAdministrators<T>(act: () => Promise<T>): Promise<T> {
    await this.escalationGuard.lock();
    const { id } = await this.adminRole();
    const wasAble = await this.hasAbleMember(id);
    const result = await act();
    if (wasAble && !(await this.hasAbleMember(id))) throw rbacErrors.lastAdmin();
    return result;
  }

  /** Whether an active member, except `exceptId`, can log in. Most members can, so the first batch usually suffices. */
  private async hasAbleMember(roleId: string, exceptId = FIRST_ID): Promise<boolean> {
    for (let after = FIRST_ID; ;) {
      const batch = await this.members.activeOthers(roleId, exceptId, after, BATCH);
      if ((await this.credentials.ableAmong(batch)).size > 0) return true;
      const last = batch.at(-1);
      if (last === undefined || batch.length < BATCH) return false;
      after = last;
    }
  }

  private async adminRole(): Promise<Role> {
    const role = await this.roles.findByName(this.environment.serviceScope, ADMIN_ROLE);
    if (!role) throw new Error('The role admin is missing, although system roles are created at start');
    return role;
  }
}
