import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { FeedPosition } from '../feed/feed-position';

/** As long as no event is deleted: the minimum of setting `audit.retention_days`. */
const KEPT_DAYS = 30;

export interface LeaseRequest {
  /** Id of this process. */
  readonly instance: string;
  readonly names: readonly string[];
  readonly seconds: number;
  /** Leases that end within this time are renewed. */
  readonly renewSeconds: number;
}

export interface LeasedConsumer {
  readonly name: string;
  readonly from: FeedPosition;
}

interface Row {
  readonly name: string;
  readonly position: string;
  readonly id: string;
  readonly ordinal: number;
}

/** Places of handlers in the feed. SQL: each statement decides by the clock of the database or compares the lease. */
@Injectable()
export class EventConsumerRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Adds the names that are new at the place, and forgets those that no instance has run for long. */
  async register(names: readonly string[], { position, id, ordinal }: FeedPosition): Promise<void> {
    await this.transactions.manager.query(
      `DELETE FROM event_consumer WHERE leased_until < now() - make_interval(days => ${KEPT_DAYS})`,
    );
    await this.transactions.manager.query(
      `INSERT INTO event_consumer (name, position, position_id, position_ordinal)
       SELECT name, $2::bigint, $3::uuid, $4::int FROM unnest($1::text[]) AS wanted (name)
       ON CONFLICT ON CONSTRAINT event_consumer_pk DO NOTHING`,
      [names, position, id, ordinal],
    );
  }

  /** Leases those that no other instance holds, and renews leases of this one that end soon. Returns the changed ones. */
  async lease({ instance, names, seconds, renewSeconds }: LeaseRequest): Promise<LeasedConsumer[]> {
    const rows = await this.transactions.rows<Row>(
      `UPDATE event_consumer SET leased_by = $1::uuid, leased_until = now() + make_interval(secs => $3::int)
       WHERE name = ANY($2::text[]) AND CASE WHEN leased_by = $1::uuid
         THEN leased_until < now() + make_interval(secs => $4::int)
         ELSE leased_until < now() END
       RETURNING name, position::text, position_id AS id, position_ordinal AS ordinal`,
      [instance, names, seconds, renewSeconds],
    );
    return rows.map(({ name, ...from }) => ({ name, from: { ...from, at: null } }));
  }

  /** Returns false if another instance holds the lease. */
  async moveTo(instance: string, name: string, { position, id, ordinal }: FeedPosition): Promise<boolean> {
    const moved = await this.transactions.affected(
      `UPDATE event_consumer SET position = $3, position_id = $4, position_ordinal = $5
       WHERE name = $2 AND leased_by = $1`,
      [instance, name, position, id, ordinal],
    );
    return moved > 0;
  }

  /** Lets other instances take them at once. */
  async release(instance: string, names: readonly string[]): Promise<void> {
    await this.transactions.affected(
      `UPDATE event_consumer SET leased_by = NULL, leased_until = now() WHERE leased_by = $1 AND name = ANY($2::text[])`,
      [instance, names],
    );
  }
}
