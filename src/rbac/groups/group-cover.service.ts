import { Injectable } from '@nestjs/common';
import { AuditTarget } from '../../audit';
import { Caller } from '../../platform/context';
import { ChangeableRolesService } from '../changeable-roles.service';
import { GrantRepository } from '../grant.repository';
import { Actor, PrivilegeEscalationGuardService } from '../privilege-escalation-guard.service';
import { RoleRepository } from '../role.repository';
import { GroupRepository } from './group.repository';

/** What the members of a group hold through it: the roles of the groups on its path, and others. */
export interface GroupAuthority {
  readonly path: readonly string[];
  readonly roleIds?: readonly string[];
}

/** The conditions for an actor who changes what a group gives to its members. */
@Injectable()
export class GroupCoverService {
  constructor(
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly groups: GroupRepository,
    private readonly grants: GrantRepository,
    private readonly roles: RoleRepository,
    private readonly changeableRoles: ChangeableRolesService,
  ) {}

  /** Serializes changes of groups and grants until the transaction ends. */
  lock(): Promise<void> {
    return this.escalationGuard.lock();
  }

  /**
   * The actor must hold everything that the group gives. Call in the transaction of the change, before its first write.
   * Throws `escalation_denied`.
   */
  async requireCover(actor: Actor, authority: GroupAuthority, target?: AuditTarget): Promise<void> {
    await this.lock();
    await this.escalationGuard.requireCover(actor, await this.grants.ofRoles(await this.roleIdsOf(authority)), target);
  }

  /**
   * Same as `ChangeableRolesService.requireRecentToEase`, for the roles that the members lose. Call it like
   * `requireCover`. Throws `reauthentication_required`.
   */
  async requireRecentToEase(caller: Caller, before: GroupAuthority, after: GroupAuthority): Promise<void> {
    const kept = new Set(await this.roleIdsOf(after));
    const lost = (await this.roleIdsOf(before)).filter((id) => !kept.has(id));
    if (lost.length === 0) return;
    const mfaRequired = (await this.roles.findByIds(lost)).some((role) => role.mfaRequired);
    await this.changeableRoles.requireRecentToEase(caller, { mfaRequired });
  }

  private async roleIdsOf({ path, roleIds = [] }: GroupAuthority): Promise<string[]> {
    return [...[...(await this.groups.rolesOf(path)).values()].flat(), ...roleIds];
  }
}
