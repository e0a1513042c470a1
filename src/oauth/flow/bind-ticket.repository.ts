import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { BindTicketRow } from './bind-ticket.entity';

const COLUMNS = `id, provider_id AS "providerId", provider_version AS "providerVersion",
  provider_name AS "providerName", browser, profile, failures, expires_at AS "expiresAt"`;

@Injectable()
export class BindTicketRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ticket: Omit<BindTicketRow, 'failures' | 'expiresAt'>, lifeSeconds: number): Promise<void> {
    const { id, providerId, providerVersion, providerName, browser, profile } = ticket;
    await this.transactions.manager.query(
      `INSERT INTO oauth_bind_ticket (id, provider_id, provider_version, provider_name, browser, profile, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7::int))`,
      [id, providerId, providerVersion, providerName, browser, profile, lifeSeconds],
    );
  }

  /** One that lives and has failures left. */
  async find(id: string, mostFailures: number): Promise<BindTicketRow | undefined> {
    const rows = await this.transactions.manager.query<BindTicketRow[]>(
      `SELECT ${COLUMNS} FROM oauth_bind_ticket WHERE id = $1 AND failures < $2 AND expires_at > now()`,
      [id, mostFailures],
    );
    return rows[0];
  }

  /** Counts a failure before the work; false where none is left. */
  async countFailure(id: string, mostFailures: number): Promise<boolean> {
    const count = await this.transactions.affected(
      `UPDATE oauth_bind_ticket SET failures = failures + 1 WHERE id = $1 AND failures < $2 AND expires_at > now()`,
      [id, mostFailures],
    );
    return count === 1;
  }

  /** What came to no judgement was no failure. */
  async forgiveFailure(id: string): Promise<void> {
    await this.transactions.manager.query(
      'UPDATE oauth_bind_ticket SET failures = failures - 1 WHERE id = $1 AND failures > 0',
      [id],
    );
  }

  /** Of parallel callers one spends it. */
  async spend(id: string): Promise<boolean> {
    const count = await this.transactions.affected(
      'DELETE FROM oauth_bind_ticket WHERE id = $1 AND expires_at > now()',
      [id],
    );
    return count === 1;
  }

  /** Deletes up to `limit` that nobody used, and answers how many. */
  async deleteExpired(limit: number): Promise<number> {
    return this.transactions.affected(
      `DELETE FROM oauth_bind_ticket WHERE id IN (
         SELECT id FROM oauth_bind_ticket WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [limit],
    );
  }
}
