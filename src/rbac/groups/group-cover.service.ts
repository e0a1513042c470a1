import { Injectable } from '@nestjs/common';
import { AuditTarget } from '../../audit';
import { Caller } from '../../platform/context';
import { ChangeableRolesService } from '../changeable-roles.service';
import { GrantRepository } from '../grant.repository';
import { OrganizationCoverService } from '../organizations/organization-cover.service';
import { Actor, actorWithin, PrivilegeEscalationGuardService } from '../privilege-escalation-guard.service';
import { PowerlessRolesService } from '../powerless-roles.service';
import { RoleRepository } from '../role.repository';
import { UserCoverService } from '../user-cover.service';
import { Group } from './group.entities';
import { GroupRepository } from './group.repository';
import { groupTarget } from './group.views';

/** What the members of a group hold through it: the roles of the groups on its path, and others. */
export interface GroupAuthority {
  /** They hold it in this organisation only; null: everywhere. */
  readonly organizationId: string | null;
  readonly path: readonly string[];
  readonly roleIds?: readonly string[];
}

type HeldRoles = Omit<GroupAuthority, 'organizationId'>;

/**
 * The conditions for an actor who changes what a group gives to its members. For a group of an organisation, what the actor
 * holds there counts, too.
 */
@Injectable()
export class GroupCoverService {
  constructor(
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly groups: GroupRepository,
    private readonly grants: GrantRepository,
    private readonly roles: RoleRepository,
    private readonly changeableRoles: ChangeableRolesService,
    private readonly userCover: UserCoverService,
    private readonly organizationCover: OrganizationCoverService,
    private readonly powerlessRoles: PowerlessRolesService,
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
    const given = await this.grants.ofRoles(await this.roleIdsOf(authority));
    await this.escalationGuard.requireCover(actorWithin(actor, authority.organizationId), given, target);
  }

  /**
   * Within an organisation, the actor must hold what `PowerlessRolesService` needs for the roles that members get. Call it
   * like `requireCover`. Throws `escalation_denied`.
   * @param before what the same members hold through the group already
   */
  async requireGivable(
    actor: Actor,
    authority: GroupAuthority,
    target?: AuditTarget,
    before: HeldRoles = { path: [] },
  ): Promise<void> {
    if (authority.organizationId === null) return;
    const present = new Set(await this.roleIdsOf(before));
    const given = (await this.roleIdsOf(authority)).filter((id) => !present.has(id));
    const needed = await this.powerlessRoles.neededFor(given);
    await this.escalationGuard.requireCover(actorWithin(actor, null), needed, target);
  }

  /**
   * The actor must hold what the users and their OAuth clients hold; for a group of an organisation, what the users hold
   * there only. Call it like `requireCover`. Throws `escalation_denied`.
   */
  async requireCoverOfUsers(actor: Actor, group: Group, userIds: readonly string[]): Promise<void> {
    const { organizationId } = group;
    const target = groupTarget(group);
    if (organizationId === null) await this.userCover.requireCoverOfUsers(actor, userIds, target);
    else await this.organizationCover.requireCoverOfMembers(actor, organizationId, userIds, target);
  }

  /**
   * Same as `ChangeableRolesService.requireRecentToEase`, for the roles that the members lose. Call it like
   * `requireCover`. Throws `reauthentication_required`.
   */
  async requireRecentToEase(caller: Caller, before: HeldRoles, after: HeldRoles): Promise<void> {
    const kept = new Set(await this.roleIdsOf(after));
    const lost = (await this.roleIdsOf(before)).filter((id) => !kept.has(id));
    if (lost.length === 0) return;
    const mfaRequired = (await this.roles.findByIds(lost)).some((role) => role.mfaRequired);
    await this.changeableRoles.requireRecentToEase(caller, { mfaRequired });
  }

  private async roleIdsOf({ path, roleIds = [] }: HeldRoles): Promise<string[]> {
    return [...[...(await this.groups.rolesOf(path)).values()].flat(), ...roleIds];
  }
}
