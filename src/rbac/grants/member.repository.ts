import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, preparedStatement, Replicas, Transactions } from '../../platform/database';
import { CountEstimateRepository } from '../../platform/lists';
import { UserRole } from './grant.entities';
import { MembershipRepository } from './membership.repository';

/** Raw SQL here and in the next two: ON CONFLICT skips users who already have the role. */
const JOIN = preparedStatement(
  `INSERT INTO user_role (user_id, role_id) SELECT $1, role_id FROM unnest($2::uuid[]) AS wanted (role_id)
   ON CONFLICT DO NOTHING RETURNING role_id`,
);
/** Prepared because every registration runs it. */
const ADD = preparedStatement('INSERT INTO user_role (user_id, role_id) VALUES ($1, $2) ON CONFLICT DO NOTHING');

/** The members of roles. */
@Injectable()
export class MemberRepository extends MembershipRepository {
  protected readonly table = 'user_role';
  protected readonly owner = 'role_id';

  constructor(
    @InjectRepository(UserRole, CASTELLAN) private readonly members: Repository<UserRole>,
    transactions: Transactions,
    replicas: Replicas,
    totals: CountEstimateRepository,
  ) {
    super(transactions, replicas, totals);
  }

  /** Adds the user to the roles. Returns the roles the user did not have before. */
  async join(userId: string, roleIds: readonly string[]): Promise<string[]> {
    const joined = await this.transactions.rows<{ role_id: string }>(JOIN, [userId, roleIds]);
    return joined.map(({ role_id }) => role_id);
  }

  /** Adds the user to the role. The write is sent with the commit. */
  add(userId: string, roleId: string): Promise<void> {
    return this.transactions.write(ADD, [userId, roleId]);
  }

  /** Adds each user to the role at the same index. */
  async joinAll(userIds: readonly string[], roleIds: readonly string[]): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO user_role (user_id, role_id)
       SELECT user_id, role_id FROM unnest($1::uuid[], $2::uuid[]) AS wanted (user_id, role_id) ON CONFLICT DO NOTHING`,
      [userIds, roleIds],
    );
  }

  async leave(userId: string, roleId: string): Promise<void> {
    await this.members.delete({ userId, roleId });
  }

  hasMembers(roleId: string): Promise<boolean> {
    return this.members.existsBy({ roleId });
  }

  /**
   * The role's active users whose deletion is not requested, except `userId`, by id, starting after the id `after`. Raw SQL for the join with another
   * feature's table.
   */
  async activeOthers(roleId: string, userId: string, after: string, limit: number): Promise<string[]> {
    const rows = await this.transactions.manager.query<{ id: string }[]>(
      `SELECT user_account.id FROM user_role JOIN user_account ON user_account.id = user_role.user_id
       WHERE user_role.role_id = $1 AND user_role.user_id <> $2 AND user_role.user_id > $3
         AND user_account.status = 'active' AND user_account.deletion_due_at IS NULL
       ORDER BY user_role.user_id LIMIT $4`,
      [roleId, userId, after, limit],
    );
    return rows.map(({ id }) => id);
  }
}
