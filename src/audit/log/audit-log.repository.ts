import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { EventLogFilter, EventLogRepository, Position } from '../../platform/lists';
import { AuditEvent } from './audit-event.entity';
import { AuditPosition, SETTLED } from './audit-position.repository';

export interface AuditFilter extends Omit<EventLogFilter<AuditEvent>, 'condition'> {
  /** The user that acted, or that owns what was acted on. */
  readonly userId?: string | undefined;
}

/** The state of an act on something of a user, such as a session, names the user. */
const CONCERNS_USER = `(entry.actor_id = :user::uuid OR entry.on_behalf_of_id = :user::uuid
  OR (entry.target_type = 'user' AND entry.target_id = :name)
  OR entry.before ->> 'user_id' = :name OR entry.after ->> 'user_id' = :name)`;

/** Reads the audit log and drops its expired partitions. SQL for the partitions, which no entity maps. */
@Injectable()
export class AuditLogRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventLogRepository,
  ) {}

  /** Newest first. */
  find({ userId, ...filter }: AuditFilter, after: Position | undefined, limit: number): Promise<AuditEvent[]> {
    const condition =
      userId === undefined ? undefined : { sql: CONCERNS_USER, parameters: { user: userId, name: userId } };
    return this.events.find(AuditEvent, { ...filter, condition }, after, limit);
  }

  /** Ids of users that failures have locked since then, at most `limit`. Raw SQL: the partial index has this condition. */
  async findLockedSince(since: Date, limit: number): Promise<string[]> {
    const rows = await this.transactions.rows<{ id: string }>(
      `SELECT DISTINCT target_id AS id FROM audit_event
       WHERE at >= $1 AND outcome = 'failure' AND after @> '{"locked": true}' AND target_type = 'user' LIMIT $2`,
      [since, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Whole events after the place, in the order of the feed, as far as it no longer changes. SQL: row comparisons. */
  findAfter({ position, id }: AuditPosition, limit: number): Promise<AuditEvent[]> {
    return this.transactions.manager
      .createQueryBuilder(AuditEvent, 'event')
      .addSelect('event.position')
      .where('(event.position, event.id) > (:position::bigint, :id::uuid)', { position, id })
      .andWhere(`event.position < ${SETTLED}`)
      .orderBy('event.position')
      .addOrderBy('event.id')
      .limit(limit)
      .getMany();
  }

  /** Partitions of months that ended more than `days` days ago, oldest first. Raw SQL for the system catalogue. */
  async findExpired(days: number): Promise<string[]> {
    const rows = await this.transactions.manager.query<{ partition: string }[]>(
      `SELECT relname AS partition FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = 'audit_event'::regclass AND relname ~ '^audit_event_[0-9]{4}_[0-9]{2}$'
         AND to_date(right(relname, 7), 'YYYY_MM') + interval '1 month'
           <= (now() AT TIME ZONE 'UTC') - make_interval(days => $1)
       ORDER BY relname`,
      [days],
    );
    return rows.map(({ partition }) => partition);
  }

  /**
   * Blocks reads and writes of the audit table until the transaction ends. Dropping a partition needs this lock anyway.
   * Raw SQL for the lock.
   */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE audit_event IN ACCESS EXCLUSIVE MODE');
  }

  /** Raw SQL for DDL. @param partition a name from `findExpired` */
  async drop(partition: string): Promise<void> {
    await this.transactions.manager.query(`DROP TABLE ${partition}`);
  }
}
