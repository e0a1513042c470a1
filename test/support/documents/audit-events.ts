import { newId } from '../../../src/platform/crypto';
import type { TestService } from '../service/test-service';

interface Events {
  readonly count: number;
  readonly action: string;
  /** Actor of every second event. Default: none. */
  readonly actorId?: string | undefined;
  /** SQL expression for the time of the last event. */
  readonly at?: string | undefined;
}

/** Inserts events as a busy service would write them: ten in each millisecond. */
export async function writeEvents(
  service: TestService,
  { count, action, actorId, at = 'now()' }: Events,
): Promise<void> {
  const ids = Array.from({ length: count }, newId);
  await service.query(
    `INSERT INTO audit_event (id, at, action, outcome, actor_id, actor_name)
     SELECT id, date_trunc('second', ${at}) - position / 10 * interval '1 millisecond', $2, 'success',
       CASE WHEN position % 2 = 0 THEN $3::uuid END, CASE WHEN position % 2 = 0 THEN 'somebody' END
     FROM unnest($1::uuid[]) WITH ORDINALITY AS event (id, position)`,
    [ids, action, actorId ?? null],
  );
}

export interface PastMonth {
  readonly partition: string;
  /** `2026-08` */
  readonly name: string;
  /** SQL expression for a time at its beginning. */
  readonly at: string;
}

/** Creates the partition of the month `ago` months before this one. */
export async function createMonth(service: TestService, ago: number): Promise<PastMonth> {
  const [row] = await service.query<{ partition: string; first: string; next: string }>(
    `SELECT 'audit_event_' || to_char(month, 'YYYY_MM') AS partition, month::date::text AS first,
       (month + interval '1 month')::date::text AS next
     FROM (SELECT date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => $1) AS month) AS wanted`,
    [ago],
  );
  const { partition, first, next } = row!;
  await service.query(
    `CREATE TABLE ${partition} PARTITION OF audit_event
     FOR VALUES FROM ('${first} 00:00:00+00') TO ('${next} 00:00:00+00')`,
  );
  return { partition, name: first.slice(0, 7), at: `timestamptz '${first} 12:00:00+00'` };
}
