import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { FeedPosition } from '../feed';
import { CASTELLAN, preparedStatement, Transactions } from '../../platform/database';
import { AttemptResult } from '../../platform/outbound/deliveries';
import { EventLogFilter, EventLogRepository, Position } from '../../platform/lists';
import { WebhookDelivery } from './webhook-delivery.entity';
import { Webhook } from './webhook.entity';

export type DeliveryFilter = EventLogFilter<WebhookDelivery>;

export type NewDelivery = Pick<WebhookDelivery, 'id' | 'eventId' | 'eventType' | 'subject' | 'position' | 'payload'>;

/** SQL: the place moves and the deliveries are added in one statement, or neither if the place was changed meanwhile. */
const FILL = `WITH moved AS (
    UPDATE webhook SET position = $3, position_id = $4, position_ordinal = $5
    WHERE id = $1 AND leased_by = $2::uuid AND enabled
      AND (position, position_id, position_ordinal) = ($6::bigint, $7::uuid, $8::int)
    RETURNING id),
  added AS (
    INSERT INTO webhook_delivery (id, webhook_id, event_id, event_type, subject, position, payload, state)
    SELECT delivery.id, moved.id, "eventId", "eventType", subject, position, payload, 'pending'
    FROM moved CROSS JOIN jsonb_to_recordset($9::jsonb) AS delivery
      (id uuid, "eventId" uuid, "eventType" text, subject text, position bigint, payload text))
  SELECT id FROM moved`;

/** Prepared, because it runs before each read of the feed. */
const PENDING = preparedStatement(
  `SELECT count(*)::int AS pending FROM webhook_delivery WHERE webhook_id = $1 AND state = 'pending'`,
);

/** SQL: the first pending delivery of each subject, if it is due. */
const DUE = `SELECT id, event_id AS "eventId", payload, attempts FROM (
    SELECT DISTINCT ON (subject) id, event_id, payload, attempts, next_at, position
    FROM webhook_delivery WHERE webhook_id = $1 AND state = 'pending'
    ORDER BY subject, position, event_id, id) AS first
  WHERE next_at <= now() ORDER BY position, event_id LIMIT $2`;

/** SQL: a batch of different results. */
const SETTLE = `UPDATE webhook_delivery AS delivery
  SET state = result.state, attempts = result.attempts, attempted_at = now(), status = result.status,
    answer = result.answer, error = result.error, next_at = now() + make_interval(secs => result."delaySeconds")
  FROM jsonb_to_recordset($1::jsonb) AS result
    (id uuid, state text, attempts int, "delaySeconds" float8, status int, answer text, error text)
  WHERE delivery.id = result.id`;

/** SQL: as above, and when the receiver succeeded or failed, in one commit. */
const SETTLE_ROUND = `WITH settled AS (${SETTLE})
  UPDATE webhook SET last_success_at = CASE WHEN $3::boolean THEN now() ELSE last_success_at END,
    failing_since = CASE WHEN $3::boolean THEN NULL ELSE coalesce(failing_since, now()) END
  WHERE id = $2`;

export type DueDelivery = Pick<WebhookDelivery, 'id' | 'eventId' | 'payload' | 'attempts'>;

@Injectable()
export class WebhookDeliveryRepository {
  constructor(
    @InjectRepository(WebhookDelivery, CASTELLAN) private readonly deliveries: Repository<WebhookDelivery>,
    private readonly transactions: Transactions,
    private readonly logs: EventLogRepository,
  ) {}

  /** Newest first. */
  list(filter: DeliveryFilter, after: Position | undefined, limit: number): Promise<WebhookDelivery[]> {
    return this.logs.find(WebhookDelivery, filter, after, limit);
  }

  find(id: string, webhookId: string): Promise<WebhookDelivery | null> {
    return this.deliveries.findOneBy({ id, webhookId });
  }

  /** @param nextAt before which the queue does not attempt it. */
  async insert(delivery: NewDelivery & Pick<WebhookDelivery, 'webhookId' | 'nextAt'>): Promise<void> {
    await this.deliveries.insert({ ...delivery, state: 'pending' });
  }

  /**
   * Adds deliveries and moves the webhook from one place in the feed to another. Returns whether it did: not if another
   * instance leases the webhook, it is disabled, or a replay moved it.
   */
  async fill(
    { id, position, positionId, positionOrdinal }: Webhook,
    instance: string,
    to: FeedPosition,
    deliveries: readonly NewDelivery[],
  ): Promise<boolean> {
    const place = [to.position, to.id, to.ordinal, position, positionId, positionOrdinal];
    const rows = await this.transactions.rows(FILL, [id, instance, ...place, JSON.stringify(deliveries)]);
    return rows.length > 0;
  }

  async countPending(webhookId: string): Promise<number> {
    const [row] = await this.transactions.rows<{ pending: number }>(PENDING, [webhookId]);
    return row?.pending ?? 0;
  }

  /** At most one for each subject, so that its events arrive in order. */
  findDue(webhookId: string, limit: number): Promise<DueDelivery[]> {
    return this.transactions.rows<DueDelivery>(DUE, [webhookId, limit]);
  }

  async settle(results: readonly AttemptResult[]): Promise<void> {
    await this.transactions.affected(SETTLE, [JSON.stringify(results)]);
  }

  /** Stores the results of attempts, and whether the receiver accepts deliveries. */
  async settleRound(webhookId: string, results: readonly AttemptResult[]): Promise<void> {
    const hasSucceeded = results.some(({ state }) => state === 'delivered');
    await this.transactions.affected(SETTLE_ROUND, [JSON.stringify(results), webhookId, hasSucceeded]);
  }

  /** Attempts the delivery again as if for the first time. */
  async restart(id: string): Promise<void> {
    await this.deliveries.update({ id }, { state: 'pending', attempts: 0, nextAt: () => 'now()' });
  }

  /** Age in seconds of the oldest delivery that an enabled webhook waits for, 0 without one. SQL: an age. */
  async oldestPendingSeconds(): Promise<number> {
    const [row] = await this.transactions.rows<{ seconds: number }>(
      `SELECT coalesce(extract(epoch FROM now() - min(delivery.at)), 0)::float8 AS seconds
       FROM webhook_delivery AS delivery JOIN webhook ON webhook.id = webhook_id
       WHERE state = 'pending' AND enabled`,
      [],
    );
    return row?.seconds ?? 0;
  }

  /** Deletes up to `limit` finished deliveries older than the given days. SQL: skips locked rows. */
  async deleteOlderThan(days: number, limit: number): Promise<number> {
    return this.transactions.affected(
      `DELETE FROM webhook_delivery WHERE id IN (
         SELECT id FROM webhook_delivery WHERE at < now() - make_interval(days => $1) AND state <> 'pending'
         ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [days, limit],
    );
  }
}
