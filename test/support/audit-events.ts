import { newId } from '../../src/platform/crypto';
import type { TestService } from './test-service';

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
