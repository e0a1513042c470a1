import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import { MemberRepository } from '../grants/member.repository';
import { PermissionsService } from '../grants/permissions.service';
import { isRoleName } from '../grants/role-name';
import { RoleRepository } from '../grants/role.repository';
import { targetOf } from '../grants/role.views';
import { isReservedRoleName } from '../grants/system-roles';
import { roleActs } from '../grants/role.acts';

export interface ImportedMembership {
  readonly userId: string;
  readonly roleName: string;
}

/**
 * Roles imported from another system. They are created without grants, so they permit nothing until an administrator
 * adds some.
 */
@Injectable()
export class ImportedRolesService {
  constructor(
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Adds the users to roles of the scope and creates missing roles. Call in a transaction. Never adds a user to a role
   * that permits anything. Returns the memberships left out for that reason or for a reserved or invalid name.
   */
  async join(scope: string, wanted: readonly ImportedMembership[]): Promise<readonly ImportedMembership[]> {
    await this.escalationGuard.lock();
    const names = [...new Set(wanted.map(({ roleName }) => roleName))].filter(isImportable);
    await this.make(scope, names);
    const open = new Map((await this.roles.findPowerless(scope, names)).map(({ id, name }) => [name, id]));
    const given = wanted.flatMap(({ userId, roleName }) => {
      const roleId = open.get(roleName);
      return roleId === undefined ? [] : [{ userId, roleId }];
    });
    await this.members.joinAll(
      given.map(({ userId }) => userId),
      given.map(({ roleId }) => roleId),
    );
    await this.permissions.invalidate([...new Set(given.map(({ userId }) => userId))]);
    return wanted.filter(({ roleName }) => !open.has(roleName));
  }

  /** The names that `join` would leave out. Writes nothing. */
  async closedAmong(scope: string, names: readonly string[]): Promise<ReadonlySet<string>> {
    const distinct = [...new Set(names)];
    // Other names may contain characters that the database rejects.
    const permitting = await this.roles.findPermitting(scope, distinct.filter(isImportable));
    return new Set([...distinct.filter((name) => !isImportable(name)), ...permitting]);
  }

  private async make(scope: string, names: readonly string[]): Promise<void> {
    const made = await this.roles.insertMissing(scope, names);
    const events = made.map((role) =>
      roleActs.create({
        target: targetOf(role),
        after: { name: role.name, scope, permissions: [] },
        reason: 'import',
      }),
    );
    await this.audit.recordAll(events);
  }
}

const isImportable = (name: string): boolean => isRoleName(name) && !isReservedRoleName(name);
