import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Caller } from '../../platform/context';
import { RateLimit, RateLimiterService } from '../../platform/http';
import { AccountEventsService, UserRepository, userView } from '../../users';
import { OrganizationAuthorityService } from '../escalation/organization-authority.service';
import { OrganizationUser } from '../grants/organization-grant.repository';
import { OrganizationMemberRepository } from '../grants/organization-member.repository';
import { Organization } from '../grants/organization.entity';
import { organizationTarget } from '../grants/organization.views';
import { organizationMemberPermissions } from '../grants/organizations.permissions';
import { memberNoticesPerDayPerOrganization, memberNoticesPerDayPerUser } from '../grants/rbac.settings';
import { PendingMember, PendingMemberRepository } from './pending-member.repository';
import { membershipActs } from '../grants/membership.acts';

const DAY = 86_400;
const PER_ORGANIZATION: RateLimit = { setting: memberNoticesPerDayPerOrganization, windowSeconds: DAY };
const PER_USER: RateLimit = { setting: memberNoticesPerDayPerUser, windowSeconds: DAY };

/**
 * Stores and audits memberships that wait for their users, and what becomes of them. Checks no authority of the caller: call
 * each method in the transaction of the change, after its checks and with the lock of grants.
 */
@Injectable()
export class PendingMembershipsService {
  constructor(
    private readonly pending: PendingMemberRepository,
    private readonly members: OrganizationMemberRepository,
    private readonly authority: OrganizationAuthorityService,
    private readonly users: UserRepository,
    private readonly accountEvents: AccountEventsService,
    private readonly limiter: RateLimiterService,
    private readonly audit: AuditService,
  ) {}

  find(pair: OrganizationUser): Promise<PendingMember | undefined> {
    return this.pending.find(pair);
  }

  /**
   * Whether the user is notified of a pending membership: of a new one, unless an earlier one was declined or removed. An
   * organization cannot send messages at will.
   */
  async needsNotice(pair: OrganizationUser): Promise<boolean> {
    if (await this.pending.find(pair)) return false;
    return !(await this.members.wasRemoved(pair.organizationId, pair.userId));
  }

  /**
   * Counts a notice. Call it after all refusals, and outside of the transaction. The limit of the organization comes first:
   * beyond it, it cannot use up what others may send. Throws `rate_limited`.
   */
  async countNotice({ organizationId, userId }: OrganizationUser): Promise<void> {
    await this.limiter.count(PER_ORGANIZATION, organizationId);
    await this.limiter.count(PER_USER, userId);
  }

  /**
   * Adds the user, or replaces the roles, which the caller gives from then on.
   * @param isCounted whether a notice was counted; otherwise, the user gets none
   */
  async save(
    { userId: addedBy }: Caller,
    organization: Organization,
    {
      userId,
      roleIds,
      isCounted = false,
    }: Pick<PendingMember, 'userId' | 'roleIds'> & { readonly isCounted?: boolean },
  ): Promise<void> {
    const pair = { organizationId: organization.id, userId };
    const before = await this.pending.find(pair);
    const notifies = isCounted && (await this.needsNotice(pair));
    const after = [...new Set(roleIds)].sort();
    if (before?.addedBy === addedBy && before.roleIds.join() === after.join()) return;
    await this.pending.save({ ...pair, addedBy, roleIds: after });
    await this.audit.record(before ? membershipActs.updatePending : membershipActs.addPending, {
      target: organizationTarget(organization),
      ...(before && { before: { role_ids: before.roleIds } }),
      after: { user_id: userId, role_ids: after },
    });
    if (notifies) await this.announce(organization, userId);
  }

  /** Withdrawn or declined. Imports and domains do not make the user a member afterwards. */
  async remove(organization: Organization, { roleIds, ...pair }: Omit<PendingMember, 'addedBy'>): Promise<void> {
    await this.pending.remove(pair);
    await this.members.rememberRemoval(pair.organizationId, pair.userId);
    const [before, after] = [{ role_ids: roleIds }, { user_id: pair.userId }];
    await this.audit.record(membershipActs.removePending, { target: organizationTarget(organization), before, after });
  }

  /** Whether the one who added the user may still do so, with these roles. */
  async isStillGiven({ addedBy, organizationId, roleIds }: PendingMember): Promise<boolean> {
    if (addedBy === null) return false;
    const { update } = organizationMemberPermissions;
    return this.authority.mayGive({ userId: addedBy, organizationId }, update, roleIds);
  }

  /** Ends it, because the user is a member now. Returns the roles that the member gets, if they may still be given. */
  async settle(pair: OrganizationUser): Promise<readonly string[]> {
    const found = await this.pending.find(pair);
    if (!found) return [];
    const roleIds = (await this.isStillGiven(found)) ? found.roleIds : [];
    await this.pending.remove(pair);
    return roleIds;
  }

  private async announce({ slug, name }: Organization, userId: string): Promise<void> {
    const user = await this.users.findById(userId);
    if (!user) return;
    const organization = { slug, name };
    await this.accountEvents.announce({ type: 'membership_pending', user: userView(user), organization });
  }
}
