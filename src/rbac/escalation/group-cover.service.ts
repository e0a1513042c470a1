import { Injectable } from '@nestjs/common';
import { AuditTarget } from '../../audit';
import { Caller } from '../../platform/context';
import { ChangeableRolesService } from './changeable-roles.service';
import { OrganizationCoverService } from './organization-cover.service';
import { Actor, PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { RoleGivingService } from './role-giving.service';
import { RoleRepository } from '../grants/role.repository';
import { TrustedName } from './application-trust';
import { TrustedUsersService } from './trusted-users.service';
import { UserCoverService } from './user-cover.service';
import { Group } from '../grants/group.entities';
import { GroupRepository } from '../grants/group.repository';
import { groupTarget } from '../grants/group.views';

/** What the members of a group hold through it: the roles of the groups on its path, and others. */
export interface GroupAuthority {
  /** They hold it in this organization only; null: everywhere. */
  readonly organizationId: string | null;
  readonly path: readonly string[];
  readonly roleIds?: readonly string[];
}

type HeldRoles = Omit<GroupAuthority, 'organizationId'>;

/**
 * The conditions for an actor who changes what a group gives to its members. For a group of an organization, what the actor
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
    private readonly trusted: TrustedUsersService,
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
   * The actor must be allowed to give what applications give to members because they trust the group or one above it by name:
   * the same as for roles without grants. Applications know no groups of organizations. Call it like `requireCover`. Throws
   * `escalation_denied`.
   */
  async requireTrusted(
    actor: Actor,
    group: Pick<Group, 'organizationId' | 'path'>,
    target: AuditTarget,
  ): Promise<void> {
    if (group.organizationId === null) await this.requireNames(actor, await this.groups.findByIds(group.path), target);
  }

  /**
   * Same as `requireTrusted`, for what members of a group gain by its new name and by the groups that come above it.
   */
  async requireTrustedChange(actor: Actor, before: Group, after: Pick<Group, 'name' | 'path'>): Promise<void> {
    if (before.organizationId !== null) return;
    const gained = after.path.filter((id) => !before.path.includes(id));
    const above = gained.length === 0 ? [] : await this.groups.findByIds(gained);
    const isRenamed = after.name !== before.name && !(await this.trusted.trustsGroups([before]));
    const names = isRenamed ? [...above, { id: before.id, name: after.name }] : above;
    await this.requireNames(actor, names, groupTarget(before));
  }

  private async requireNames(actor: Actor, groups: readonly TrustedName[], target: AuditTarget): Promise<void> {
    if (groups.length === 0 || !(await this.trusted.trustsGroups(groups))) return;
    await this.escalationGuard.requireCover(actor, [this.trusted.needed], target);
  }

  /**
   * The actor must hold what the users and their OAuth clients hold; for a group of an organization, what the users hold
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
