import { Injectable } from '@nestjs/common';
import { preparedStatement, Transactions } from '../../platform/database';
import { AuditEvent } from './audit-event.entity';

export type NewAuditEvent = Omit<AuditEvent, 'at' | 'position'>;

/** A month in UTC and the name of its partition. */
export interface AuditMonth {
  readonly partition: string;
  readonly first: string;
  readonly next: string;
}

const MONTHS_AHEAD = 3;
/**
 * Above this many events to move, the operator must choose the time: moving them locks the audit table against writes.
 */
const MAX_STRAYS = 50_000;

/** Prepared because every audited request runs it. */
const INSERT = preparedStatement(
  `INSERT INTO audit_event (id, action, outcome, actor_id, actor_name, session_id, target_type, target_id,
     target_label, ip, user_agent, request_id, before, after, reason, on_behalf_of_id, on_behalf_of_name, organization_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb, $14::jsonb, $15, $16, $17, $18)`,
);

/** SQL instead of `Repository<AuditEvent>`: inserts are not awaited, and months are partitions, which no entity maps. */
@Injectable()
export class AuditRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(event: NewAuditEvent): Promise<void> {
    await this.transactions.write(INSERT, [
      event.id,
      event.action,
      event.outcome,
      event.actorId,
      event.actorName,
      event.sessionId,
      event.targetType,
      event.targetId,
      event.targetLabel,
      event.ip,
      event.userAgent,
      event.requestId,
      event.before && JSON.stringify(event.before),
      event.after && JSON.stringify(event.after),
      event.reason,
      event.onBehalfOfId,
      event.onBehalfOfName,
      event.organizationId,
    ]);
  }

  /** Raw SQL for one statement with one parameter, for any number of events. */
  async insertAll(events: readonly NewAuditEvent[]): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO audit_event (id, action, outcome, actor_id, actor_name, session_id, target_type, target_id,
         target_label, ip, user_agent, request_id, before, after, reason, on_behalf_of_id, on_behalf_of_name, organization_id)
       SELECT id, action, outcome, "actorId", "actorName", "sessionId", "targetType", "targetId", "targetLabel", ip,
         "userAgent", "requestId", before, after, reason, "onBehalfOfId", "onBehalfOfName", "organizationId"
       FROM jsonb_to_recordset($1::jsonb) AS event (id uuid, action text, outcome text, "actorId" uuid, "actorName" text,
         "sessionId" uuid, "targetType" text, "targetId" text, "targetLabel" text, ip text, "userAgent" text,
         "requestId" text, before jsonb, after jsonb, reason text, "onBehalfOfId" uuid, "onBehalfOfName" text,
         "organizationId" uuid)`,
      [JSON.stringify(events)],
    );
  }

  /** This month and the next ones that have no partition yet. Raw SQL for the system catalogue. */
  async monthsWithoutPartition(): Promise<AuditMonth[]> {
    return this.transactions.manager.query(
      `SELECT * FROM (
         SELECT 'audit_event_' || to_char(month, 'YYYY_MM') AS partition,
                to_char(month, 'YYYY-MM-DD') AS first,
                to_char(month + interval '1 month', 'YYYY-MM-DD') AS next
         FROM generate_series(date_trunc('month', now() AT TIME ZONE 'UTC'),
                              date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => $1),
                              interval '1 month') AS month) AS wanted
       WHERE to_regclass(partition) IS NULL ORDER BY first`,
      [MONTHS_AHEAD],
    );
  }

  /**
   * Call in a transaction. Moves the month's events out of the default partition. Raw SQL here and in the steps below,
   * for DDL.
   */
  async createPartition(month: AuditMonth): Promise<void> {
    const strays = await this.countStrays(month);
    if (strays > 0 && strays <= MAX_STRAYS) await this.createAround(month);
    else await this.createEmpty(month);
    // Partitions inherit row triggers from the table, but not statement triggers.
    await this.run(
      `CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON ${month.partition}
       FOR EACH STATEMENT EXECUTE FUNCTION audit_event_refuse_change()`,
    );
  }

  /** Counts up to the limit only. Raw SQL, because the partition is no entity. */
  private async countStrays(month: AuditMonth): Promise<number> {
    const [counted] = await this.transactions.rows<{ strays: number }>(
      `SELECT count(*)::int AS strays FROM
         (SELECT 1 FROM audit_event_other WHERE ${within(month)} LIMIT ${MAX_STRAYS + 1}) AS counted`,
      [],
    );
    return counted?.strays ?? 0;
  }

  private async createEmpty({ partition, first, next }: AuditMonth): Promise<void> {
    await this.run(
      `CREATE TABLE ${partition} PARTITION OF audit_event
       FOR VALUES FROM ('${first} 00:00:00+00') TO ('${next} 00:00:00+00')`,
    );
  }

  /** Detaches the default partition first: while attached, its triggers reject the deletion. */
  private async createAround(month: AuditMonth): Promise<void> {
    await this.run('ALTER TABLE audit_event DETACH PARTITION audit_event_other');
    await this.createEmpty(month);
    await this.run(`INSERT INTO audit_event SELECT * FROM audit_event_other WHERE ${within(month)}`);
    await this.run(`DELETE FROM audit_event_other WHERE ${within(month)}`);
    await this.run('ALTER TABLE audit_event ATTACH PARTITION audit_event_other DEFAULT');
  }

  private async run(sql: string): Promise<void> {
    await this.transactions.manager.query(sql);
  }
}

const within = ({ first, next }: AuditMonth): string => `at >= '${first} 00:00:00+00' AND at < '${next} 00:00:00+00'`;
