import { Injectable } from '@nestjs/common';
import { Environment } from '../platform/config';
import { SettingsService } from '../settings';
import { MemberRepository } from './member.repository';
import { defaultRole } from './rbac.settings';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';

/** A rename and a change of the setting may both pass by while somebody registers; more than that is no accident. */
const MAX_LOOKS = 3;

/** The role that new users get: the setting names it, and follows it. */
@Injectable()
export class DefaultRoleService {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsService,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
  ) {}

  /**
   * To a user made in the caller's transaction, of whom nobody remembers anything yet. Answers the role's name, or undefined
   * where there is no such role.
   */
  async give(userId: string): Promise<string | undefined> {
    const role = await this.hold();
    if (!role) return undefined;
    await this.members.add(userId, role.id);
    return role.name;
  }

  /** As `give`, to many new users at once. */
  async giveAll(userIds: readonly string[]): Promise<string | undefined> {
    const role = await this.hold();
    if (!role) return undefined;
    const { id, name } = role;
    await this.members.joinAll(
      userIds,
      userIds.map(() => id),
    );
    return name;
  }

  /** Whether new users can get their role. */
  async exists(): Promise<boolean> {
    const name = await this.settings.get(defaultRole);
    return (await this.roles.findByName(this.environment.serviceScope, name)) !== null;
  }

  /** In a transaction that nobody else's change of roles can overtake. */
  async is({ scope, name }: Role): Promise<boolean> {
    return scope === this.environment.serviceScope && name === (await this.settings.latest(defaultRole));
  }

  async follow(newName: string): Promise<void> {
    await this.settings.set(defaultRole, newName);
  }

  /** A name may mean another role a moment later; it is the right one if it is still the default once it is held. */
  private async hold(): Promise<Role | null> {
    let name = await this.settings.get(defaultRole);
    for (let look = 1; look <= MAX_LOOKS; look++) {
      const [role, latest] = await Promise.all([
        this.roles.holdByName(this.environment.serviceScope, name),
        // Behind the lock on the same connection.
        this.settings.latest(defaultRole),
      ]);
      if (latest === name) return role;
      name = latest;
    }
    return null;
  }
}
