import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { FeedPosition } from '../feed';
import { CASTELLAN, preparedStatement, Transactions } from '../../platform/database';
import { SealedColumns } from './webhook-secrets.service';
import { Webhook } from './webhook.entity';

type Configuration = Pick<Webhook, 'name' | 'url' | 'audience' | 'types' | 'enabled' | 'headers'>;

export type NewWebhook = Configuration & Pick<Webhook, 'id' | 'format' | 'secret' | 'ownerId' | 'setBy'> & PlaceColumns;

export type WebhookChange = Partial<Configuration & Pick<Webhook, 'failingSince' | 'setBy' | 'disabledReason'>>;

type PlaceColumns = Pick<Webhook, 'position' | 'positionId' | 'positionOrdinal'>;

export const placeColumns = ({ position, id, ordinal }: FeedPosition): PlaceColumns => ({
  position,
  positionId: id,
  positionOrdinal: ordinal,
});

export interface Lease {
  /** Id of this process. */
  readonly instance: string;
  readonly seconds: number;
  /** Leases that end within this time are renewed. */
  readonly renewSeconds: number;
}

const LEASE = `UPDATE webhook SET leased_by = $1::uuid, leased_until = now() + make_interval(secs => $2::int)
   WHERE enabled AND CASE WHEN leased_by = $1::uuid
     THEN leased_until < now() + make_interval(secs => $3::int)
     ELSE leased_until IS NULL OR leased_until < now() END
   RETURNING id`;

/** Prepared, because it runs before most deliveries. */
const UNCHANGED = preparedStatement(
  'SELECT 1 FROM webhook WHERE id = $1 AND enabled AND leased_by = $2::uuid AND updated_at = $3',
);

@Injectable()
export class WebhookRepository {
  constructor(
    @InjectRepository(Webhook, CASTELLAN) private readonly webhooks: Repository<Webhook>,
    private readonly transactions: Transactions,
  ) {}

  /** Serializes creations, so that the limit holds. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE webhook IN SHARE ROW EXCLUSIVE MODE');
  }

  count(): Promise<number> {
    return this.webhooks.count();
  }

  /** By name, then id. */
  list(): Promise<Webhook[]> {
    return this.webhooks.find({ order: { name: 'ASC', id: 'ASC' } });
  }

  find(id: string): Promise<Webhook | null> {
    return this.webhooks.findOneBy({ id });
  }

  /** Whether the webhook is enabled, leased by the instance, and as it was read. */
  async isUnchanged({ id, updatedAt }: Webhook, instance: string): Promise<boolean> {
    return (await this.transactions.rows(UNCHANGED, [id, instance, updatedAt])).length > 0;
  }

  findLocked(id: string): Promise<Webhook | null> {
    return this.webhooks.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  async insert(webhook: NewWebhook): Promise<void> {
    await this.webhooks.insert(webhook);
  }

  async update(id: string, change: WebhookChange): Promise<void> {
    await this.webhooks.update({ id }, { ...change, updatedAt: () => 'now()' });
  }

  /** Does not count as a change. */
  async replaceSealed(id: string, sealed: Partial<SealedColumns>): Promise<void> {
    await this.webhooks.update({ id }, sealed);
  }

  async delete(id: string): Promise<void> {
    await this.webhooks.delete({ id });
  }

  /** The previous secret stays valid for the overlap. SQL: the time is the database's. */
  async replaceSecret(id: string, secret: string, overlapSeconds: number): Promise<void> {
    await this.transactions.affected(
      `UPDATE webhook SET secret = $2, updated_at = now(),
         former_secret = CASE WHEN $3::int > 0 THEN secret END,
         former_secret_until = CASE WHEN $3::int > 0 THEN now() + make_interval(secs => $3::int) END
       WHERE id = $1`,
      [id, secret, overlapSeconds],
    );
  }

  async moveTo(id: string, place: FeedPosition): Promise<void> {
    await this.webhooks.update({ id }, placeColumns(place));
  }

  /**
   * Leases enabled webhooks that no other instance holds, and renews leases of this one that end soon. Returns the ids of
   * those whose lease was changed. SQL: one statement decides by the clock of the database.
   */
  async lease({ instance, seconds, renewSeconds }: Lease): Promise<string[]> {
    const rows = await this.transactions.rows<{ id: string }>(LEASE, [instance, seconds, renewSeconds]);
    return rows.map(({ id }) => id);
  }

  /** Lets other instances take the webhooks at once. */
  async release(instance: string, ids: readonly string[]): Promise<void> {
    await this.webhooks.update({ id: Any(ids), leasedBy: instance }, { leasedBy: null, leasedUntil: null });
  }

  /** Those of the webhooks that have not read up to the place, or have a due delivery. SQL: compares rows. */
  async findWithWork(ids: readonly string[], end: FeedPosition): Promise<string[]> {
    const rows = await this.transactions.rows<{ id: string }>(
      `SELECT id FROM webhook WHERE id = ANY($1) AND enabled AND (
         (position, position_id, position_ordinal) < ($2::bigint, $3::uuid, $4::int)
         OR EXISTS (SELECT 1 FROM webhook_delivery AS delivery
                    WHERE delivery.webhook_id = webhook.id AND state = 'pending' AND next_at <= now()))`,
      [ids, end.position, end.id, end.ordinal],
    );
    return rows.map(({ id }) => id);
  }
}
