import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { SettingsService } from '../../settings';
import { MemberRepository } from '../grants/member.repository';
import { Actor, PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import { defaultRole } from '../grants/rbac.settings';
import { Role } from '../grants/role.entity';
import { RoleGivingService } from '../escalation/role-giving.service';
import { RoleRepository } from '../grants/role.repository';
import { targetOf } from '../grants/role.views';

/** A rename and a setting change may both happen during one registration. More than two means a bug. */
const MAX_LOOKS = 3;

/** The role that new users get, named by a setting. */
@Injectable()
export class DefaultRoleService {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsService,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly giving: RoleGivingService,
  ) {}

  /**
   * Adds a user created in the caller's transaction, so that no cache holds the user yet. Returns the role's name, or
   * undefined when the role does not exist.
   */
  async give(userId: string): Promise<string | undefined> {
    const role = await this.hold();
    if (!role) return undefined;
    await this.members.add(userId, role.id);
    return role.name;
  }

  /**
   * The role for users that the actor creates, or undefined when it does not exist. Call in the transaction that creates
   * them, before its first write. Throws `escalation_denied` unless the actor holds what the role grants.
   */
  async givenBy(actor: Actor): Promise<Role | undefined> {
    await this.escalationGuard.lock();
    const role = await this.hold();
    if (!role) return undefined;
    await this.giving.require(actor, { roleIds: [role.id], organizationId: null }, targetOf(role));
    return role;
  }

  /** Adds new users to the role that `givenBy` returned. */
  async giveAll({ id }: Role, userIds: readonly string[]): Promise<void> {
    await this.members.joinAll(
      userIds,
      userIds.map(() => id),
    );
  }

  /** Call in a transaction that holds the grant lock. */
  async is({ scope, name, organizationId }: Role): Promise<boolean> {
    if (organizationId !== null || scope !== this.environment.serviceScope) return false;
    return name === (await this.settings.latest(defaultRole));
  }

  async follow(newName: string): Promise<void> {
    await this.settings.set(defaultRole, newName);
  }

  /**
   * The setting may change between reading the name and locking the role, so retry until the locked role is still the
   * default.
   */
  private async hold(): Promise<Role | null> {
    let name = await this.settings.get(defaultRole);
    for (let look = 1; look <= MAX_LOOKS; look++) {
      const [role, latest] = await Promise.all([
        this.roles.holdByName(this.environment.serviceScope, name),
        // Runs after the lock, because both use one connection.
        this.settings.latest(defaultRole),
      ]);
      if (latest === name) return role;
      name = latest;
    }
    return null;
  }
}
