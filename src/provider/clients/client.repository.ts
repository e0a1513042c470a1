import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { ListTotals, Page, Total } from '../../platform/lists';
import { OAuthClient } from './client.entity';

export type NewClient = Omit<
  OAuthClient,
  'formerSecretHash' | 'formerSecretUntil' | 'tokensEndedAt' | 'lastUsedAt' | 'createdAt' | 'updatedAt'
>;
export type ClientChange = Partial<Omit<NewClient, 'id' | 'clientId' | 'isPublic' | 'ownerId' | 'secretHash'>>;

/** Nothing else is looked up: a caller may send any text, and not all of it is one for the database. */
const CLIENT_ID = /^[\w-]{1,64}$/;
const OWNED = '($1::uuid IS NULL OR owner_id = $1)';

@Injectable()
export class ClientRepository {
  constructor(
    private readonly transactions: Transactions,
    private readonly totals: ListTotals,
  ) {}

  findById(id: string): Promise<OAuthClient | null> {
    return this.transactions.manager.findOneBy(OAuthClient, { id });
  }

  async findByClientId(clientId: string): Promise<OAuthClient | null> {
    return CLIENT_ID.test(clientId) ? this.transactions.manager.findOneBy(OAuthClient, { clientId }) : null;
  }

  /** Holds the row until the transaction ends. */
  lock(id: string): Promise<OAuthClient | null> {
    return this.transactions.manager
      .createQueryBuilder(OAuthClient, 'client')
      .setLock('pessimistic_write')
      .where('client.id = :id', { id })
      .getOne();
  }

  /** The newest first; null: whoever owns them. */
  list(ownerId: string | null, { limit, offset }: Page): Promise<OAuthClient[]> {
    const query = this.transactions.manager.createQueryBuilder(OAuthClient, 'client');
    if (ownerId !== null) query.where('client.ownerId = :ownerId', { ownerId });
    return query.orderBy('client.id', 'DESC').limit(limit).offset(offset).getMany();
  }

  count(ownerId: string | null): Promise<Total> {
    return this.totals.count(`SELECT 1 FROM oauth_client WHERE ${OWNED}`, [ownerId]);
  }

  /** Whether a client in use has a redirect address of the origin. */
  async isOrigin(origin: string): Promise<boolean> {
    const rows = await this.transactions.manager.query<unknown[]>(
      `SELECT 1 FROM oauth_client WHERE origins @> jsonb_build_array($1::text) AND enabled LIMIT 1`,
      [origin],
    );
    return rows.length > 0;
  }

  async insert(client: NewClient): Promise<void> {
    await this.transactions.manager.insert(OAuthClient, client);
  }

  async update(id: string, change: ClientChange): Promise<void> {
    await this.transactions.manager.update(OAuthClient, { id }, { ...change, updatedAt: () => 'now()' });
  }

  /** Of access tokens that carry their own claims, which nobody can delete. */
  async endTokens(id: string): Promise<void> {
    await this.transactions.manager.update(OAuthClient, { id }, { tokensEndedAt: () => 'now()' });
  }

  /** The secret before it stays good for the overlap. */
  async replaceSecret(id: string, hash: string, overlapSeconds: number): Promise<void> {
    await this.transactions.manager.query(
      `UPDATE oauth_client SET former_secret_hash = CASE WHEN $3::int > 0 THEN secret_hash END,
         former_secret_until = CASE WHEN $3::int > 0 THEN now() + make_interval(secs => $3::int) END,
         secret_hash = $2, updated_at = now()
       WHERE id = $1`,
      [id, hash, overlapSeconds],
    );
  }

  /** A use is no change: `updated_at` stays. Once a minute is often enough. */
  async touch(clientId: string): Promise<void> {
    await this.transactions.manager.query(
      `UPDATE oauth_client SET last_used_at = now()
       WHERE client_id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
      [clientId],
    );
  }

  async delete(id: string): Promise<void> {
    await this.transactions.manager.delete(OAuthClient, { id });
  }

  /** Those of an account that is about to go: out of use, and nobody's once it has gone. */
  async disableOwnedBy(ownerId: string): Promise<OAuthClient[]> {
    const { manager } = this.transactions;
    const owned = await manager.findBy(OAuthClient, { ownerId });
    if (owned.length === 0) return [];
    await manager.query(
      `UPDATE oauth_client SET enabled = false, owner_id = NULL, tokens_ended_at = now(), updated_at = now()
       WHERE owner_id = $1`,
      [ownerId],
    );
    return owned;
  }
}
