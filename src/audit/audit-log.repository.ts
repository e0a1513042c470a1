import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Replicas, Transactions } from '../platform/database';
import { AuditEvent } from './audit-event.entity';

export interface AuditFilter {
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly targetType?: string | undefined;
  readonly targetId?: string | undefined;
  /** The first moment that counts. */
  readonly from?: Date | undefined;
  /** The first that no longer does. */
  readonly to?: Date | undefined;
}

export interface AuditPosition {
  readonly at: string;
  readonly id: string;
}

const CONDITIONS: Record<keyof AuditFilter, string> = {
  actorId: 'event.actorId = :actorId',
  action: 'event.action = :action',
  targetType: 'event.targetType = :targetType',
  targetId: 'event.targetId = :targetId',
  from: 'event.at >= :from',
  to: 'event.at < :to',
};

/** Reads what was written down, and lets go of what is old. */
@Injectable()
export class AuditLogRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly replicas: Replicas,
  ) {}

  /**
   * Newest first. What follows a stretch comes from the database itself: from a replica further behind than the one that
   * gave the first, it would leave a hole in the middle.
   */
  find(filter: AuditFilter, after: AuditPosition | undefined, limit: number): Promise<AuditEvent[]> {
    const read = (manager: EntityManager): Promise<AuditEvent[]> => {
      const query = manager.createQueryBuilder(AuditEvent, 'event');
      for (const name of Object.keys(CONDITIONS) as (keyof AuditFilter)[]) {
        if (filter[name] !== undefined) query.andWhere(CONDITIONS[name], { [name]: filter[name] });
      }
      if (after) query.andWhere('(event.at, event.id) < (:at::timestamptz, :id::uuid)', after);
      return query.orderBy('event.at', 'DESC').addOrderBy('event.id', 'DESC').limit(limit).getMany();
    };
    return after ? read(this.transactions.manager) : this.replicas.read(read);
  }

  /** Partitions of months that ended more than so many days ago, the oldest first. */
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

  /** Until the transaction ends nobody reads or writes the audit: what dropping a partition asks for anyway. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE audit_event IN ACCESS EXCLUSIVE MODE');
  }

  /** @param partition as `findExpired` names it. */
  async drop(partition: string): Promise<void> {
    await this.transactions.manager.query(`DROP TABLE ${partition}`);
  }
}
