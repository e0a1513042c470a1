import { Injectable } from '@nestjs/common';
import { MembershipRepository } from './membership.repository';

/** The members of groups. Members of the groups below are not included. */
@Injectable()
export class GroupMemberRepository extends MembershipRepository {
  protected readonly table = 'user_group_member';
  protected readonly owner = 'group_id';

  /** Adds each user to the group at the same index. */
  async joinAll(userIds: readonly string[], groupIds: readonly string[]): Promise<void> {
    await this.transactions.rows(
      `INSERT INTO user_group_member (user_id, group_id)
       SELECT user_id, group_id FROM unnest($1::uuid[], $2::uuid[]) AS wanted (user_id, group_id) ON CONFLICT DO NOTHING`,
      [userIds, groupIds],
    );
  }
}
