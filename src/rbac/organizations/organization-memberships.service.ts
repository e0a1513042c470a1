import { Injectable } from '@nestjs/common';
import { ActFields, AuditEntry, AuditService } from '../../audit';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { removalEntries } from '../grants/group-member-entries';
import { PermissionsService } from '../grants/permissions.service';
import { PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import { OrganizationMemberRepository } from '../grants/organization-member.repository';
import { Organization } from '../grants/organization.entity';
import { OrganizationRepository } from '../grants/organization.repository';
import { organizationTarget } from '../grants/organization.views';
import { PendingMembershipsService } from './pending-memberships.service';
import { SetUp } from '../grants/set-up';
import { MAX_NAMED_SET_UPS, SetUpRegistry } from '../grants/set-up.registry';
import { membershipActs } from '../grants/membership.acts';

/** How a user joins without an act of an administrator, for the audit log. */
export interface Joining extends Pick<ActFields, 'actor'> {
  /** Names the invitation or the domain. */
  readonly reason: string;
  readonly inviterId?: string | null;
}

/**
 * Stores and audits who belongs to organizations and with which roles, and invalidates cached permissions. It checks no
 * authority: call each method in the transaction of the change, after its checks.
 */
@Injectable()
export class OrganizationMembershipsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly organizations: OrganizationRepository,
    private readonly members: OrganizationMemberRepository,
    private readonly pending: PendingMembershipsService,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly permissions: PermissionsService,
    private readonly audit: AuditService,
    private readonly setUps: SetUpRegistry,
  ) {}

  /** The users who are no accepted members, or who do not exist. */
  async othersAmong(organizationId: string, userIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await this.members.newAmong(organizationId, userIds));
  }

  /**
   * Adds the user with the roles. A member keeps present roles and gets the others. A pending member becomes one. Returns whether anything changed.
   * Throws `not_found` without such an organization or user.
   */
  add(organizationId: string, userId: string, roleIds: readonly string[], joining?: Joining): Promise<boolean> {
    return this.transactions.run(async () => {
      await this.escalationGuard.lock();
      const organization = await this.find(organizationId);
      const isNew = await this.members.add(organizationId, userId);
      if (!isNew && !(await this.members.isMember(organizationId, userId))) throw platformErrors.notFound();
      await this.members.clearRemoval(organizationId, userId);
      const before = await this.rolesOf(organizationId, userId);
      const promised = await this.pending.settle({ organizationId, userId });
      const after = [...new Set([...before, ...promised, ...roleIds])].sort();
      if (!isNew && after.length === before.length) return false;
      await this.members.replaceRoles(organizationId, userId, after);
      const change = isNew ? added(userId, after) : changed(userId, before, after);
      await this.record(organization, userId, joining ? joined(change, joining) : change);
      return true;
    });
  }

  /** Gives the role to those of the members who do not have it there. Returns how many. Throws `not_found`. */
  giveRole(organizationId: string, userIds: readonly string[], roleId: string): Promise<number> {
    return this.transactions.run(async () => {
      await this.escalationGuard.lock();
      const target = organizationTarget(await this.find(organizationId));
      const members = [...(await this.members.detailsOf(organizationId, userIds))];
      const others = members.filter(([, { roleIds }]) => !roleIds.includes(roleId));
      const ids = others.map(([userId]) => userId);
      await this.members.giveRole(organizationId, ids, roleId);
      await this.audit.recordAll(
        others.map(([userId, { roleIds }]) => ({
          ...changed(userId, roleIds, [...roleIds, roleId].sort()),
          target,
        })),
      );
      await this.permissions.invalidate(ids);
      return ids.length;
    });
  }

  /**
   * Adds the user with the roles, by a rule and not by an act of the organization. Members keep their roles as they are,
   * and users who were removed stay so. Returns whether the user was added. Throws `not_found` without such an organization.
   */
  admit(organizationId: string, userId: string, roleIds: readonly string[], joining: Joining): Promise<boolean> {
    return this.transactions.run(async () => {
      await this.escalationGuard.lock();
      const organization = await this.find(organizationId);
      if (await this.members.wasRemoved(organizationId, userId)) return false;
      if (!(await this.members.add(organizationId, userId))) return false;
      const promised = await this.pending.settle({ organizationId, userId });
      const given = [...new Set([...promised, ...roleIds])].sort();
      await this.members.replaceRoles(organizationId, userId, given);
      await this.record(organization, userId, joined(added(userId, given), joining));
      return true;
    });
  }

  /** Throws `not_found`. */
  async replaceRoles(organizationId: string, userId: string, roleIds: readonly string[]): Promise<void> {
    await this.transactions.run(async () => {
      await this.escalationGuard.lock();
      const organization = await this.find(organizationId);
      if (!(await this.members.isMember(organizationId, userId))) throw platformErrors.notFound();
      const before = await this.rolesOf(organizationId, userId);
      const after = [...new Set(roleIds)].sort();
      if (after.join() === before.join()) return;
      await this.members.replaceRoles(organizationId, userId, after);
      await this.record(organization, userId, changed(userId, before, after));
    });
  }

  /** What acts in the organization for the user, and is switched off with the membership. By kind and name. */
  setUpBy(organizationId: string, userId: string): Promise<SetUp[]> {
    return this.setUps.list({ userIds: [userId], organizationId });
  }

  /** Also from the groups of the organization, and switches off what the user has set up there. Throws `not_found`. */
  async remove(organizationId: string, userId: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.escalationGuard.lock();
      const organization = await this.find(organizationId);
      if (!(await this.members.isMember(organizationId, userId))) throw platformErrors.notFound();
      const roleIds = await this.rolesOf(organizationId, userId);
      const place = { userIds: [userId], organizationId };
      const setUp = await this.setUps.switchOff(place, 'set up by a removed member');
      const groups = await this.members.remove(organizationId, userId);
      const before = { role_ids: roleIds, ...(setUp.length > 0 && { set_up: setUp.slice(0, MAX_NAMED_SET_UPS) }) };
      const after = { removed: 1, removed_ids: [userId] };
      await this.record(organization, userId, membershipActs.remove({ before, after }));
      await this.audit.recordAll(groups.flatMap((group) => removalEntries({ ...group, organizationId }, [userId])));
    });
  }

  private async record(organization: Organization, userId: string, change: AuditEntry): Promise<void> {
    await this.audit.record({ ...change, target: organizationTarget(organization) });
    await this.permissions.invalidate(userId);
  }

  private async rolesOf(organizationId: string, userId: string): Promise<readonly string[]> {
    return (await this.members.detailsOf(organizationId, [userId])).get(userId)?.roleIds ?? [];
  }

  private async find(id: string): Promise<Organization> {
    const organization = await this.organizations.findById(id);
    if (!organization) throw platformErrors.notFound();
    return organization;
  }
}

const added = (userId: string, roleIds: readonly string[]): AuditEntry =>
  membershipActs.add({
    after: { added: 1, added_ids: [userId], role_ids: roleIds },
  });

const joined = (change: AuditEntry, { reason, inviterId, actor }: Joining): AuditEntry => ({
  ...change,
  after: { ...change.after, ...(inviterId && { inviter_id: inviterId }) },
  reason,
  ...(actor && { actor }),
});

const changed = (userId: string, before: readonly string[], after: readonly string[]): AuditEntry =>
  membershipActs.update({
    before: { role_ids: before },
    after: { user_id: userId, role_ids: after },
  });
