import { Injectable } from '@nestjs/common';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import {
  OrganizationHoldersService,
  PrivilegeEscalationGuardService,
  OrganizationMembershipsService,
  PendingMembershipsService,
} from '../rbac';
import { MembershipWithRoles } from './organization-names.repository';
import { OrganizationNamesService } from './organization-names.service';
import { OrganizationViewsService } from './organization-views.service';

const MAX_ORGANIZATIONS = 1_000;

/** What users decide about their memberships. */
@Injectable()
export class OwnOrganizationsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly names: OrganizationNamesService,
    private readonly organizations: OrganizationViewsService,
    private readonly memberships: OrganizationMembershipsService,
    private readonly pending: PendingMembershipsService,
    private readonly holders: OrganizationHoldersService,
  ) {}

  /** By slug, with pending memberships. */
  list({ userId }: Caller): Promise<MembershipWithRoles[]> {
    return this.names.membershipsOf(userId, MAX_ORGANIZATIONS);
  }

  /**
   * Makes a pending member one, with the roles. Members stay as they are. Throws `not_found`, also if the one who added the
   * user may no longer do so, or not with these roles, as for invitations.
   */
  async accept({ userId }: Caller, organizationId: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.escalationGuard.lock();
      if (await this.isMember(organizationId, userId)) return;
      const found = await this.pending.find({ organizationId, userId });
      if (!found || !(await this.pending.isStillGiven(found))) throw platformErrors.notFound();
      const joining = { reason: 'accepted', inviterId: found.addedBy };
      await this.memberships.add(organizationId, userId, [], joining);
    });
  }

  /** Declines a pending membership, or leaves. Throws `not_found`, or `last_admin` if no other active member holds everything there. */
  async leave({ userId }: Caller, organizationId: string): Promise<void> {
    await this.transactions.run(async () => {
      await this.escalationGuard.lock();
      if (await this.isMember(organizationId, userId)) {
        await this.holders.keep(organizationId, () => this.memberships.remove(organizationId, userId));
        return;
      }
      const found = await this.pending.find({ organizationId, userId });
      if (!found) throw platformErrors.notFound();
      await this.pending.remove(await this.organizations.find(organizationId), found);
    });
  }

  private async isMember(organizationId: string, userId: string): Promise<boolean> {
    return (await this.memberships.othersAmong(organizationId, [userId])).size === 0;
  }
}
