import { Injectable } from '@nestjs/common';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { PageOrCursorQueryDto } from '../platform/lists';
import {
  PermissionsService,
  OrganizationCoverService,
  OrganizationHoldersService,
  OrganizationMembershipsService,
  OrganizationMemberDetailView,
  OrganizationMemberView,
  OrganizationUser,
  organizationMemberPermissions,
  PendingMembershipsService,
} from '../rbac';
import { AddOrganizationMemberDto } from './dto/organization-members.dto';
import { MemberList, OrganizationMemberViewsService } from './organization-member-views.service';
import { OrganizationViewsService } from './organization-views.service';

/** Administration of the members of an organization, by those who hold the permission everywhere or there. */
@Injectable()
export class OrganizationMembersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly views: OrganizationViewsService,
    private readonly members: OrganizationMemberViewsService,
    private readonly memberships: OrganizationMembershipsService,
    private readonly pending: PendingMembershipsService,
    private readonly cover: OrganizationCoverService,
    private readonly holders: OrganizationHoldersService,
    private readonly permissions: PermissionsService,
  ) {}

  /**
   * Sorted by username. Members without the permission to read the members see only themselves. Throws
   * `validation_failed` or `not_found`.
   */
  async list({ userId }: Caller, organizationId: string, query: PageOrCursorQueryDto): Promise<MemberList> {
    const maySeeAll = await this.permissions.isGranted(userId, organizationMemberPermissions.read, organizationId);
    if (!maySeeAll) return this.members.alone(organizationId, userId, query);
    return this.members.list(organizationId, query, () => this.views.find(organizationId));
  }

  /** Throws `not_found`. */
  show(organizationId: string, userId: string): Promise<OrganizationMemberView> {
    return this.members.show(organizationId, userId);
  }

  /** With what the member has set up there. Throws `not_found`. */
  async showInDetail(organizationId: string, userId: string): Promise<OrganizationMemberDetailView> {
    const member = await this.show(organizationId, userId);
    return { ...member, setUp: await this.memberships.setUpBy(organizationId, userId) };
  }

  /**
   * A member keeps present roles. Who holds the permission in the organization only adds a pending member. Throws
   * `validation_failed` for an unknown user or role, `not_found`, `system_role_protected`, `escalation_denied` or, for the
   * notice to a pending member, `rate_limited`.
   */
  async add(
    caller: Caller,
    organizationId: string,
    { user_id: userId, role_ids: roleIds = [] }: AddOrganizationMemberDto,
  ): Promise<OrganizationMemberView> {
    const pair = { organizationId, userId };
    const isCounted = await this.countNotice(caller, pair, roleIds);
    return this.transactions.run(async () => {
      await this.cover.lock();
      const organization = await this.views.find(organizationId);
      await this.members.requireUser(userId);
      if (await this.mayJoin(caller, organizationId, userId)) {
        await this.cover.requireGivable(caller, organizationId, roleIds);
        await this.cover.requireCoverOfMember(caller, pair);
        await this.memberships.add(organizationId, userId, roleIds);
      } else {
        const all = await this.requirePending(caller, pair, roleIds);
        await this.pending.save(caller, organization, { userId, roleIds: all, isCounted });
      }
      return this.show(organizationId, userId);
    });
  }

  /**
   * Replaces the member's roles there. Throws the errors of `add`, or `reauthentication_required` when the member loses a
   * role that requires a second factor, or `last_admin`.
   */
  change(
    caller: Caller,
    organizationId: string,
    userId: string,
    roleIds: readonly string[],
  ): Promise<OrganizationMemberView> {
    return this.transactions.run(async () => {
      await this.cover.lock();
      const { roleIds: before, status } = await this.show(organizationId, userId);
      if (status === 'pending') {
        await this.cover.requireGivable(caller, organizationId, roleIds);
        await this.pending.save(caller, await this.views.find(organizationId), { userId, roleIds });
        return this.show(organizationId, userId);
      }
      await this.cover.requireGivable(caller, organizationId, roleIds, before);
      await this.cover.requireCoverOfMember(caller, { userId, organizationId });
      await this.cover.requireRecentToEase(
        caller,
        before.filter((id) => !roleIds.includes(id)),
      );
      await this.holders.keepFor(caller, organizationId, () =>
        this.memberships.replaceRoles(organizationId, userId, roleIds),
      );
      return this.show(organizationId, userId);
    });
  }

  /** Throws the errors of `change` that concern a member. A pending one holds nothing, so it needs no cover. */
  async remove(caller: Caller, organizationId: string, userId: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.cover.lock();
      const { roleIds, status } = await this.show(organizationId, userId);
      if (status === 'pending') {
        const pending = { organizationId, userId, roleIds };
        await this.pending.remove(await this.views.find(organizationId), pending);
        return;
      }
      await this.cover.requireCoverOfMember(caller, { userId, organizationId });
      await this.cover.requireRecentToEase(caller, roleIds);
      await this.holders.keepFor(caller, organizationId, () => this.memberships.remove(organizationId, userId));
    });
  }

  /** Counts the notice that the user gets, after the refusals. Returns whether there is one. */
  private async countNotice(caller: Caller, pair: OrganizationUser, roleIds: readonly string[]): Promise<boolean> {
    const { organizationId, userId } = pair;
    const isDue = await this.transactions.run(async () => {
      await this.cover.lock();
      await this.views.find(organizationId);
      await this.members.requireUser(userId);
      if (await this.mayJoin(caller, organizationId, userId)) return false;
      await this.requirePending(caller, pair, roleIds);
      return this.pending.needsNotice(pair);
    });
    if (isDue) await this.pending.countNotice(pair);
    return isDue;
  }

  /** All roles of the pending member, which the caller gives from then on. */
  private async requirePending(caller: Caller, pair: OrganizationUser, roleIds: readonly string[]): Promise<string[]> {
    const present = (await this.pending.find(pair))?.roleIds ?? [];
    const all = [...new Set([...present, ...roleIds])];
    await this.cover.requireGivable(caller, pair.organizationId, all);
    return all;
  }

  /** Whether the user is a member, or becomes one without being asked. */
  private async mayJoin({ userId: actorId }: Caller, organizationId: string, userId: string): Promise<boolean> {
    if (await this.permissions.isGranted(actorId, organizationMemberPermissions.update)) return true;
    return (await this.memberships.othersAmong(organizationId, [userId])).size === 0;
  }
}
