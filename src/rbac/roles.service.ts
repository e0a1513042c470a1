import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditService } from '../audit';
import { Environment, EnvironmentError } from '../platform/config';
import { FIRST_ID } from '../platform/crypto';
import { StartupTasks, Transactions } from '../platform/database';
import { CredentialSourceRegistry } from '../users';
import { PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { GrantRepository } from './grant.repository';
import { MemberRepository } from './member.repository';
import { PermissionsService } from './permissions.service';
import { rbacErrors } from './rbac.errors';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';
import { auditedRole, targetOf } from './role.views';
import { ADMIN_ROLE, SystemRole, systemRoles } from './system-roles';

const BATCH = 500;

/** The roles that the code itself knows: kept in step at every start, and never without somebody who administers. */
@Injectable()
export class RolesService implements OnModuleInit {
  constructor(
    private readonly environment: Environment,
    private readonly transactions: Transactions,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly grants: GrantRepository,
    private readonly permissions: PermissionsService,
    private readonly authority: PrivilegeEscalationGuardService,
    private readonly credentials: CredentialSourceRegistry,
    private readonly audit: AuditService,
    private readonly startup: StartupTasks,
  ) {}

  onModuleInit(): void {
    this.startup.add({ name: 'system roles', stage: 'roles', run: () => this.syncSystemRoles() });
  }

  /** Puts the user into the named role, in the caller's transaction; false when there is no such role. */
  async join(userId: string, roleName: string): Promise<boolean> {
    const role = await this.roles.findByName(this.environment.serviceScope, roleName);
    if (!role) return false;
    await this.members.join(userId, [role.id]);
    await this.permissions.invalidate(userId);
    return true;
  }

  async hasAdministrator(): Promise<boolean> {
    return this.members.hasMembers((await this.adminRole()).id);
  }

  async isAdminRole(roleId: string): Promise<boolean> {
    return (await this.adminRole()).id === roleId;
  }

  /**
   * Refuses (`last_admin`) when nobody else could administer without this user. In the transaction of the act: two
   * administrators leaving at once are looked at one after the other.
   */
  async refuseIfLastAdmin(userId: string): Promise<void> {
    await this.authority.stand();
    const { id } = await this.adminRole();
    if (!(await this.members.isMember(id, userId))) return;
    if (!(await this.hasAbleMember(id, userId))) throw rbacErrors.lastAdmin();
  }

  /**
   * Does what may close ways to log in, and refuses it (`last_admin`) where nobody who administers could log in any more.
   * In the transaction of the act.
   */
  async keepAdministrators<T>(act: () => Promise<T>): Promise<T> {
    await this.authority.stand();
    const { id } = await this.adminRole();
    const wasAble = await this.hasAbleMember(id);
    const result = await act();
    if (wasAble && !(await this.hasAbleMember(id))) throw rbacErrors.lastAdmin();
    return result;
  }

  /** Whether someone (else) in the role is active and can log in. Most of a role's members can: the first batch will do. */
  private async hasAbleMember(roleId: string, exceptId = FIRST_ID): Promise<boolean> {
    for (let after = FIRST_ID; ;) {
      const batch = await this.members.activeOthers(roleId, exceptId, after, BATCH);
      if ((await this.credentials.ableAmong(batch)).size > 0) return true;
      const last = batch.at(-1);
      if (last === undefined || batch.length < BATCH) return false;
      after = last;
    }
  }

  private async syncSystemRoles(): Promise<void> {
    const { serviceScope } = this.environment;
    await this.transactions.run(async () => {
      for (const role of systemRoles(serviceScope)) await this.syncSystemRole(serviceScope, role);
    });
  }

  /** Writes the difference between the code's role and the database's. Errors: `EnvironmentError`. */
  private async syncSystemRole(scope: string, wanted: SystemRole): Promise<void> {
    await this.roles.insertSystemRole(scope, wanted);
    const role = await this.roles.findByName(scope, wanted.name);
    if (!role) throw new Error(`System role ${wanted.name} vanished in its own transaction`);
    if (!role.isSystem) throw foreignRole(scope, wanted.name);
    const before = await this.grants.ofRoles([role.id]);
    if (!(await this.grants.replaceOfRole(role.id, wanted.grants))) return;
    await this.audit.record({
      action: 'role.sync',
      target: targetOf(role),
      before: auditedRole({ role, grants: before }),
      after: auditedRole({ role, grants: await this.grants.ofRoles([role.id]) }),
    });
  }

  private async adminRole(): Promise<Role> {
    const role = await this.roles.findByName(this.environment.serviceScope, ADMIN_ROLE);
    if (!role) throw new Error('The role admin is missing: system roles are made at the start');
    return role;
  }
}

/** Somebody made it, and may be in it: to take it over would hand them what the code gives. */
function foreignRole(scope: string, name: string): EnvironmentError {
  return new EnvironmentError([
    {
      variable: 'SERVICE_SCOPE',
      problem: `is "${scope}": a role "${name}" that is not the service's own stands in that scope`,
      allowed: 'another scope, or this one once that role has been deleted',
    },
  ]);
}
