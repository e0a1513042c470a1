import { Injectable } from '@nestjs/common';
import { preparedStatement, Transactions } from '../../platform/database';
import type { AuditEvent } from './audit-event.entity';

/** An event by transaction, without the address and the browser of its request. */
export type OrderedAuditEvent = Pick<
  AuditEvent,
  | 'id'
  | 'at'
  | 'action'
  | 'outcome'
  | 'actorId'
  | 'actorName'
  | 'onBehalfOfId'
  | 'onBehalfOfName'
  | 'sessionId'
  | 'targetType'
  | 'targetId'
  | 'targetLabel'
  | 'requestId'
  | 'organizationId'
  | 'before'
  | 'after'
> & { readonly position: string };

/** A place in the order: the event at it comes next. */
export interface AuditPosition {
  /** A 64-bit integer. */
  readonly position: string;
  readonly id: string;
}

/** A place and the time of the event at it. */
export type TimedAuditPosition = AuditPosition & { readonly at: Date };

/** SQL: events of transactions below it have all been committed or rolled back. */
export const SETTLED = 'audit_event_position(pg_snapshot_xmin(pg_current_snapshot()))';

/** Prepared, because every follower of the feed runs it again and again. */
const FIND = preparedStatement(
  `SELECT id, at, action, outcome, actor_id AS "actorId", actor_name AS "actorName",
     on_behalf_of_id AS "onBehalfOfId", on_behalf_of_name AS "onBehalfOfName", session_id AS "sessionId",
     target_type AS "targetType", target_id AS "targetId", target_label AS "targetLabel", request_id AS "requestId",
     organization_id AS "organizationId", before, after, position::text
   FROM audit_event
   WHERE (position, id) >= ($1::bigint, $2::uuid) AND position < ${SETTLED}
   ORDER BY audit_event.position, id LIMIT $3`,
);

/** SQL: as above, backwards. */
const FIND_BACK = `SELECT id, at, action, outcome, actor_id AS "actorId", actor_name AS "actorName",
     on_behalf_of_id AS "onBehalfOfId", on_behalf_of_name AS "onBehalfOfName", session_id AS "sessionId", target_type AS "targetType", target_id AS "targetId", target_label AS "targetLabel",
     request_id AS "requestId", organization_id AS "organizationId", before, after, position::text
   FROM audit_event
   WHERE (position, id) <= ($1::bigint, $2::uuid) AND position < ${SETTLED}
   ORDER BY audit_event.position DESC, id DESC LIMIT $3`;

const NEWEST = preparedStatement(
  `SELECT position::text, id, at FROM audit_event WHERE position < ${SETTLED}
   ORDER BY audit_event.position DESC, id DESC LIMIT 1`,
);

/** Events read to find the first one since a time: more than those that run at the same time. */
const CONCURRENT = 1_000;

/** Reads the audit log in an order that never changes behind a reader. SQL for snapshots, row comparisons and the function of the positions. */
@Injectable()
export class AuditPositionRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Events from the place on, oldest first. Excludes events of transactions that began to write after one that still
   * runs: otherwise a reader that has passed them would miss the events of that one.
   */
  find({ position, id }: AuditPosition, limit: number): Promise<OrderedAuditEvent[]> {
    return this.transactions.rows<OrderedAuditEvent>(FIND, [position, id, limit]);
  }

  /** Events up to and including the place, newest first. */
  findBack({ position, id }: AuditPosition, limit: number): Promise<OrderedAuditEvent[]> {
    return this.transactions.rows<OrderedAuditEvent>(FIND_BACK, [position, id, limit]);
  }

  /** The last event that `find` returns; undefined without one. */
  async newest(): Promise<TimedAuditPosition | undefined> {
    return (await this.transactions.rows<TimedAuditPosition>(NEWEST, []))[0];
  }

  /** The lowest position in the log; undefined if it is empty. */
  async oldest(): Promise<string | undefined> {
    const sql = 'SELECT min(position)::text AS position FROM audit_event';
    return (await this.transactions.rows<{ position: string | null }>(sql, []))[0]?.position ?? undefined;
  }

  /** Whether retention has ever deleted events: it records that in the log. */
  async haveExpired(): Promise<boolean> {
    const sql = `SELECT 1 FROM audit_event WHERE action = 'audit.expire' LIMIT 1`;
    return (await this.transactions.rows(sql, [])).length > 0;
  }

  /** The lowest position of an event that happened at the time or later; undefined without one. */
  async firstSince(from: Date): Promise<string | undefined> {
    const [row] = await this.transactions.rows<{ position: string | null }>(
      `SELECT min(position)::text AS position FROM
         (SELECT position FROM audit_event WHERE at >= $1 AND position IS NOT NULL ORDER BY at, id LIMIT ${CONCURRENT})
         AS earliest`,
      [from],
    );
    return row?.position ?? undefined;
  }

  async exists({ id, at }: { readonly id: string; readonly at: Date }): Promise<boolean> {
    return (await this.transactions.rows('SELECT 1 FROM audit_event WHERE at = $1 AND id = $2', [at, id])).length > 0;
  }

  /** Whether the position is above those of the database, as after a restore of an older state. */
  async isAhead(position: string): Promise<boolean> {
    const [row] = await this.transactions.rows<{ ahead: boolean }>(
      `SELECT $1::bigint > audit_event_position(pg_snapshot_xmax(pg_current_snapshot())) AS ahead`,
      [position],
    );
    return row?.ahead === true;
  }

  /** Age in seconds of the oldest committed event that waits for an older transaction, 0 without one. */
  async heldBackSeconds(): Promise<number> {
    const [row] = await this.transactions.rows<{ seconds: number }>(
      `SELECT coalesce(extract(epoch FROM now() - min(at)), 0)::float8 AS seconds
       FROM audit_event WHERE position >= ${SETTLED}`,
      [],
    );
    return row?.seconds ?? 0;
  }

  /** The highest position, and the lowest one that the next transactions may get. */
  async range(): Promise<{ readonly last: bigint; readonly next: bigint }> {
    const [row] = await this.transactions.rows<{ last: string; next: string }>(
      `SELECT coalesce((SELECT position FROM audit_event WHERE position IS NOT NULL
                        ORDER BY audit_event.position DESC LIMIT 1), 0)::text AS last,
              audit_event_position(pg_snapshot_xmax(pg_current_snapshot()))::text AS next`,
      [],
    );
    return { last: BigInt(row?.last ?? 0), next: BigInt(row?.next ?? 0) };
  }

  /** Raises all positions from now on. Call it in a transaction, while no other instance writes. */
  async raise(by: bigint): Promise<void> {
    const [row] = await this.transactions.rows<{ summand: string }>(
      `SELECT audit_event_position('0'::xid8)::text AS summand`,
      [],
    );
    const summand = BigInt(row?.summand ?? 0) + by;
    await this.transactions.manager.query(
      `CREATE OR REPLACE FUNCTION audit_event_position(xid8) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT
       AS 'SELECT $1::text::bigint + ${summand}'`,
    );
  }
}
