import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { TrustedDevice } from './mfa.entities';

export type NewTrustedDevice = Omit<TrustedDevice, 'createdAt' | 'lastUsedAt'>;

/** Whose trust is asked for. */
export interface TrustQuestion {
  readonly userId: string;
  readonly passwordVersion: number;
  readonly days: number;
}

/** What is listed is all there is: nobody could end a trust that is not. */
const MOST_DEVICES = 100;
const DAYS = 'make_interval(days => $1::int)';

@Injectable()
export class TrustedDeviceRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The user's oldest make room. */
  async insert(device: NewTrustedDevice): Promise<void> {
    await this.transactions.manager.insert(TrustedDevice, device);
    await this.transactions.manager.query(
      `DELETE FROM mfa_trusted_device WHERE id IN (
         SELECT id FROM mfa_trusted_device WHERE user_id = $1 ORDER BY id DESC OFFSET ${MOST_DEVICES})`,
      [device.userId],
    );
  }

  /** Whether one of the tokens is trusted by the user; its use is noted. */
  async use(hashes: readonly string[], { userId, passwordVersion, days }: TrustQuestion): Promise<boolean> {
    const rows = await this.transactions.rows(
      `UPDATE mfa_trusted_device SET last_used_at = now()
       WHERE token_hash = ANY($2::varchar[]) AND user_id = $3 AND password_version = $4 AND created_at > now() - ${DAYS}
       RETURNING id`,
      [days, hashes, userId, passwordVersion],
    );
    return rows.length > 0;
  }

  /** Those whose trust still stands, newest first. */
  list({ userId, passwordVersion, days }: TrustQuestion): Promise<TrustedDevice[]> {
    return this.transactions.manager.query(
      `SELECT id, user_id AS "userId", token_hash AS "tokenHash", ip, user_agent AS "userAgent", device,
         created_at AS "createdAt", last_used_at AS "lastUsedAt"
       FROM mfa_trusted_device WHERE user_id = $2 AND password_version = $3 AND created_at > now() - ${DAYS}
       ORDER BY id DESC LIMIT ${MOST_DEVICES}`,
      [days, userId, passwordVersion],
    );
  }

  async delete(userId: string, id: string): Promise<boolean> {
    const { affected } = await this.transactions.manager.delete(TrustedDevice, { userId, id });
    return affected === 1;
  }

  async deleteAll(userId: string): Promise<number> {
    const { affected } = await this.transactions.manager.delete(TrustedDevice, { userId });
    return affected ?? 0;
  }

  /** Deletes up to `limit` that are older than any setting allows. */
  async deleteOld(days: number, limit: number): Promise<number> {
    const rows = await this.transactions.rows(
      `DELETE FROM mfa_trusted_device WHERE id IN (
         SELECT id FROM mfa_trusted_device WHERE created_at < now() - ${DAYS} LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id`,
      [days, limit],
    );
    return rows.length;
  }
}
