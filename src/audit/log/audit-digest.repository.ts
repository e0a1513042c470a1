import { Injectable } from '@nestjs/common';
import { preparedStatement, Transactions } from '../../platform/database';
import { AuditPosition, SETTLED, TimedAuditPosition } from './audit-position.repository';
import { MIN_RETENTION_DAYS } from './audit.settings';

/** What proves the content of an event. */
export interface AuditDigest extends TimedAuditPosition {
  /** SHA-256 of all columns, 32 bytes. */
  readonly digest: Buffer;
}

/** A time in milliseconds. The end is exclusive. */
export interface EventTimes {
  readonly from: number;
  readonly to: number;
}

/** A digest, and the one of versions that did not know the organization of an event. */
export interface ComparableAuditDigest extends AuditDigest {
  readonly formerDigest: Buffer;
}

/**
 * The columns as a JSON array, the time in milliseconds. Never change it: it would no longer match stored digests. A later
 * column adds to the array only where it is set.
 */
const FORMER_CONTENT = `jsonb_build_array(id, position, (extract(epoch FROM at) * 1000)::bigint, action, outcome, actor_id,
  actor_name, session_id, target_type, target_id, target_label, ip, user_agent, request_id, before, after, reason)
  || CASE WHEN on_behalf_of_id IS NULL AND on_behalf_of_name IS NULL THEN '[]'::jsonb
     ELSE jsonb_build_array(on_behalf_of_id, on_behalf_of_name) END`;

const CONTENT = `${FORMER_CONTENT}
  || CASE WHEN organization_id IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(organization_id) END`;

const digestOf = (content: string): string => `sha256(convert_to((${content})::text, 'UTF8'))`;

const COLUMNS = `position::text, id, at, ${digestOf(CONTENT)} AS digest`;

const FIND_SETTLED = preparedStatement(
  `SELECT ${COLUMNS} FROM audit_event WHERE (position, id) > ($1::bigint, $2::uuid) AND position < ${SETTLED}
   ORDER BY audit_event.position, id LIMIT $3`,
);

/** Not prepared: verification reads ranges of any size, so each needs the plan for its values. */
const FIND_BETWEEN = `SELECT ${COLUMNS}, ${digestOf(FORMER_CONTENT)} AS "formerDigest" FROM audit_event
  WHERE (position, id) > ($1::bigint, $2::uuid) AND (position, id) <= ($3::bigint, $4::uuid)
  ORDER BY audit_event.position, id LIMIT $5`;

/** Reads digests of audit events, and where events are left. SQL: row comparisons and JSON. */
@Injectable()
export class AuditDigestRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Events after the place whose order no longer changes. */
  findSettled({ position, id }: AuditPosition, limit: number): Promise<AuditDigest[]> {
    return this.transactions.rows<AuditDigest>(FIND_SETTLED, [position, id, limit]);
  }

  /** Events after one place, up to another and including it. */
  findBetween(after: AuditPosition, upTo: AuditPosition, limit: number): Promise<ComparableAuditDigest[]> {
    const places = [after.position, after.id, upTo.position, upTo.id];
    return this.transactions.rows<ComparableAuditDigest>(FIND_BETWEEN, [...places, limit]);
  }

  /** Numbers of events up to the place and after it. Events without a position count as before it. */
  async countAround({ position, id }: AuditPosition): Promise<{ readonly before: number; readonly after: number }> {
    const [row] = await this.transactions.rows<{ before: number; after: number }>(
      `SELECT (count(*) FILTER (WHERE NOT is_after))::int AS before, (count(*) FILTER (WHERE is_after))::int AS after
       FROM (SELECT coalesce((position, id) > ($1::bigint, $2::uuid), false) AS is_after FROM audit_event) AS placed`,
      [position, id],
    );
    return row ?? { before: 0, after: 0 };
  }

  /** Ids of events that are before the place, although they happened after the time. */
  async findMisplaced({ position, id, at }: TimedAuditPosition, limit: number): Promise<string[]> {
    const rows = await this.transactions.rows<{ id: string }>(
      `SELECT id FROM audit_event
       WHERE at > $3 AND (position IS NULL OR (position, id) <= ($1::bigint, $2::uuid)) ORDER BY at, id LIMIT $4`,
      [position, id, at, limit],
    );
    return rows.map((row) => row.id);
  }

  /** Age in seconds of the first event after the place, 0 without one. */
  async waitingSeconds({ position, id }: AuditPosition): Promise<number> {
    const [row] = await this.transactions.rows<{ seconds: number }>(
      `SELECT extract(epoch FROM now() - at)::float8 AS seconds FROM audit_event
       WHERE (position, id) > ($1::bigint, $2::uuid) ORDER BY audit_event.position, id LIMIT 1`,
      [position, id],
    );
    return row?.seconds ?? 0;
  }

  /** Ids of events of the times. */
  async findWithin(times: readonly EventTimes[], limit: number): Promise<string[]> {
    const ends = [times.map(({ from }) => from), times.map(({ to }) => to)];
    const rows = await this.transactions.rows<{ id: string }>(
      `SELECT id FROM unnest($1::float8[], $2::float8[]) AS time (starts, ends)
       JOIN audit_event ON at >= to_timestamp(starts / 1000) AND at < to_timestamp(ends / 1000) ORDER BY at, id LIMIT $3`,
      [...ends, limit],
    );
    return rows.map((row) => row.id);
  }

  /**
   * The end of the latest month that a version which signed no drop says to have dropped; undefined if there is none. An
   * entry counts only for months that retention could have dropped by then, that are gone, and that all earlier ones
   * are gone with.
   */
  async formerlyDroppedUpTo(): Promise<Date | undefined> {
    const [row] = await this.transactions.rows<{ until: Date | null }>(
      `SELECT least(max(ends), (SELECT date_trunc('month', min(at) AT TIME ZONE 'UTC') FROM audit_event
                                WHERE tableoid <> 'audit_event_other'::regclass)) AT TIME ZONE 'UTC' AS until FROM (
         SELECT least(at, now()) AT TIME ZONE 'UTC' AS dropped_at, CASE
           WHEN partition ~ '^audit_event_[1-9][0-9]{3}_(0[1-9]|1[0-2])$' AND to_regclass(partition) IS NULL
           THEN to_date(right(partition, 7), 'YYYY_MM')::timestamp + interval '1 month' END AS ends
         FROM audit_event CROSS JOIN jsonb_array_elements_text(
           CASE jsonb_typeof(after -> 'partitions') WHEN 'array' THEN after -> 'partitions' ELSE '[]' END) AS partition
         WHERE action = 'audit.expire') AS dropped
       WHERE ends <= dropped_at - make_interval(days => $1::int)`,
      [MIN_RETENTION_DAYS],
    );
    return row?.until ?? undefined;
  }
}
