import { Injectable } from '@nestjs/common';
import { AuditTarget } from '../../audit';
import { Caller } from '../../platform/context';
import { ChangeableRolesService } from './changeable-roles.service';
import { OrganizationCoverService } from './organization-cover.service';
import { Actor, PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { RoleGivingService } from './role-giving.service';
import { RoleRepository } from '../grants/role.repository';
import { UserCoverService } from './user-cover.service';
import { Group } from '../grants/group.entities';
import { GroupRepository } from '../grants/group.repository';
import { groupTarget } from '../grants/group.views';

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
    private readonly roles: RoleRepository,
    private readonly changeableRoles: ChangeableRolesService,
    private readonly userCover: UserCoverService,
    private readonly organizationCover: OrganizationCoverService,
    private readonly giving: RoleGivingService,
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
    await this.requireGivable(actor, { organizationId: authority.organizationId, path: [] }, target, authority);
  }

  /**
   * The actor must be allowed to give the roles that members get, and hold what those grant that they have. Call it like
   * `requireCover`. Throws `escalation_denied`.
   * @param before what the same members hold through the group already
   */
  async requireGivable(
    actor: Actor,
    authority: GroupAuthority,
    target?: AuditTarget,
    before: HeldRoles = { path: [] },
  ): Promise<void> {
    const [roleIds, present] = [await this.roleIdsOf(authority), await this.roleIdsOf(before)];
    await this.giving.require(actor, { roleIds, organizationId: authority.organizationId, present }, target);
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
