import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';
import { MemberRepository } from '../grants/member.repository';
import { MemberDifference, MembershipRepository } from '../grants/membership.repository';
import { MembershipsService } from '../grants/memberships.service';
import { OrganizationCoverService } from '../escalation/organization-cover.service';
import { OrganizationMemberRepository } from '../grants/organization-member.repository';
import { OrganizationRoleMemberRepository } from '../grants/organization-role-member.repository';
import { RoleGivingService } from '../escalation/role-giving.service';
import { Role } from '../grants/role.entity';
import { targetOf } from '../grants/role.views';
import { UserCoverService } from '../escalation/user-cover.service';

type PlacedRole = Pick<Role, 'id' | 'name' | 'organizationId'>;

/** The users who have a role themselves: any user, or for a role of an organization its members, who hold it there only. */
@Injectable()
export class RoleHoldersService {
  constructor(
    private readonly users: MemberRepository,
    private readonly members: OrganizationRoleMemberRepository,
    private readonly organizationMembers: OrganizationMemberRepository,
    private readonly memberships: MembershipsService,
    private readonly cover: UserCoverService,
    private readonly giving: RoleGivingService,
    private readonly organizationCover: OrganizationCoverService,
  ) {}

  getMemberships({ organizationId }: Pick<Role, 'organizationId'>): MembershipRepository {
    return organizationId === null ? this.users : this.members;
  }

  /** By the id of the role. Exact up to 10,000, then an estimate. */
  async counts(roles: readonly PlacedRole[]): Promise<ReadonlyMap<string, number>> {
    const counted = new Map<string, number>();
    for (const holders of [this.users, this.members]) {
      const ids = roles.filter((role) => this.getMemberships(role) === holders).map(({ id }) => id);
      if (ids.length > 0) for (const [id, count] of await holders.counts(ids)) counted.set(id, count);
    }
    return counted;
  }

  /** Others than members of the organization look as unknown as users who do not exist. Throws `validation_failed`. */
  requireEligible({ organizationId }: PlacedRole, userIds: readonly string[]): Promise<void> {
    return organizationId === null
      ? this.memberships.requireKnown(this.users, userIds)
      : this.memberships.requireMembers(this.organizationMembers, organizationId, userIds);
  }

  /**
   * The caller must be allowed to give the role, and hold what the users and their OAuth clients hold; for a role of an
   * organization, what the users hold there only. Call it in the transaction of the change, before its first write. Throws
   * `escalation_denied`, or `reauthentication_required` when members of an organization lose a role that requires a second
   * factor.
   */
  async requireCover(caller: Caller, role: PlacedRole, { added, removed }: MemberDifference): Promise<void> {
    const { organizationId } = role;
    const [target, affected] = [targetOf(role), [...added, ...removed]];
    const given = added.length > 0 ? { roleIds: [role.id] } : { roleIds: [], present: [role.id] };
    await this.giving.require(caller, { ...given, organizationId }, target);
    if (organizationId === null) {
      await this.cover.requireCoverOfUsers(caller, affected, target);
      return;
    }
    await this.organizationCover.requireCoverOfMembers(caller, organizationId, affected, target);
    if (removed.length > 0) await this.organizationCover.requireRecentToEase(caller, [role.id]);
  }
}
