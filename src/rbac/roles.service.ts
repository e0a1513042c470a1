import { Injectable } from '@nestjs/common';
import { Environment } from '../platform/config';
import { StartupTasks, Transactions } from '../platform/database';
import { Authority } from './authority.service';
import { MemberRepository } from './member.repository';
import { Permissions } from './permissions.service';
import { rbacErrors } from './rbac.errors';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';
import { ADMIN_ROLE, systemRoles } from './system-roles';

/** The roles that the code itself knows: kept in step at every start, and never without somebody who administers. */
@Injectable()
export class Roles {
  constructor(
    private readonly environment: Environment,
    private readonly transactions: Transactions,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly permissions: Permissions,
    private readonly authority: Authority,
    startup: StartupTasks,
  ) {
    startup.add({ name: 'system roles', run: () => this.syncSystemRoles() });
  }

  /** Puts the user into the named role, in the caller's transaction; false when there is no such role. */
  async join(userId: string, roleName: string): Promise<boolean> {
    const role = await this.roles.findByName(this.environment.serviceScope, roleName);
    if (!role) return false;
    await this.members.join(userId, [role.id]);
    await this.permissions.changed(userId);
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
    if (!(await this.members.hasOtherAbleMember(id, userId))) throw rbacErrors.lastAdmin();
  }

  private async syncSystemRoles(): Promise<void> {
    const { serviceScope } = this.environment;
    await this.transactions.run(async () => {
      for (const role of systemRoles(serviceScope)) await this.roles.syncSystemRole(serviceScope, role);
    });
  }

  private async adminRole(): Promise<Role> {
    const role = await this.roles.findByName(this.environment.serviceScope, ADMIN_ROLE);
    if (!role) throw new Error('The role admin is missing: system roles are made at the start');
    return role;
  }
}
