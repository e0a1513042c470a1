import { Injectable } from '@nestjs/common';
import { prepared, Transactions } from '../platform/database';
import { RecoverySet, TotpFactor } from './mfa.entities';

const IS_ENROLLED = prepared(
  `SELECT EXISTS (SELECT 1 FROM mfa_totp WHERE user_id = $1 AND confirmed_at IS NOT NULL)
       OR EXISTS (SELECT 1 FROM mfa_passkey WHERE user_id = $1) AS enrolled`,
);

/** Secrets of authenticator apps, and recovery codes. */
@Injectable()
export class FactorRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The one that counts. */
  findTotp(userId: string): Promise<TotpFactor | undefined> {
    return this.one(`SELECT ${TOTP} FROM mfa_totp WHERE user_id = $1 AND confirmed_at IS NOT NULL`, [userId]);
  }

  /** One that waits for its first code, for ten minutes. */
  findUnconfirmedTotp(userId: string, id: string): Promise<TotpFactor | undefined> {
    return this.one(
      `SELECT ${TOTP} FROM mfa_totp
       WHERE user_id = $1 AND id = $2 AND confirmed_at IS NULL AND created_at > now() - ${UNCONFIRMED_LIFE}`,
      [userId, id],
    );
  }

  /** In place of others that were never confirmed. */
  async insertTotp(totp: Pick<TotpFactor, 'id' | 'userId' | 'secret'>): Promise<void> {
    await this.transactions.manager.query('DELETE FROM mfa_totp WHERE user_id = $1 AND confirmed_at IS NULL', [
      totp.userId,
    ]);
    await this.transactions.manager.insert(TotpFactor, totp);
  }

  /** From now on it counts, and no other; the code's step is spent. False: it is confirmed already, or gone. */
  async confirmTotp(userId: string, id: string, step: number): Promise<boolean> {
    const confirmed = await this.transactions.rows(
      `UPDATE mfa_totp SET confirmed_at = now(), last_used_at = now(), last_step = $3
       WHERE user_id = $1 AND id = $2 AND confirmed_at IS NULL RETURNING id`,
      [userId, id, step],
    );
    if (confirmed.length === 0) return false;
    await this.transactions.manager.query('DELETE FROM mfa_totp WHERE user_id = $1 AND id <> $2', [userId, id]);
    return true;
  }

  /** One compare-and-set: a step is spent once, and with it all before it (RFC 6238 §5.2). */
  async spendStep(id: string, step: number): Promise<boolean> {
    const spent = await this.transactions.rows(
      `UPDATE mfa_totp SET last_step = $2, last_used_at = now() WHERE id = $1 AND last_step < $2 RETURNING id`,
      [id, step],
    );
    return spent.length > 0;
  }

  async deleteTotp(userId: string, id: string): Promise<boolean> {
    const deleted = await this.transactions.rows(
      'DELETE FROM mfa_totp WHERE user_id = $1 AND id = $2 AND confirmed_at IS NOT NULL RETURNING id',
      [userId, id],
    );
    return deleted.length > 0;
  }

  findRecovery(userId: string): Promise<RecoverySet | undefined> {
    return this.one(
      `SELECT id, user_id AS "userId", codes, created_at AS "createdAt", last_used_at AS "lastUsedAt"
       FROM mfa_recovery_set WHERE user_id = $1`,
      [userId],
    );
  }

  /** Instead of the set that is there. */
  async replaceRecovery(set: Pick<RecoverySet, 'id' | 'userId' | 'codes'>): Promise<void> {
    await this.transactions.manager.query('DELETE FROM mfa_recovery_set WHERE user_id = $1', [set.userId]);
    await this.transactions.manager.insert(RecoverySet, set);
  }

  /** One compare-and-set: of parallel uses one succeeds. */
  async spendRecovery(userId: string, code: string): Promise<boolean> {
    const spent = await this.transactions.rows(
      `UPDATE mfa_recovery_set SET codes = codes - $2::text, last_used_at = now()
       WHERE user_id = $1 AND codes ? $2::text RETURNING id`,
      [userId, code],
    );
    return spent.length > 0;
  }

  async deleteRecovery(userId: string): Promise<void> {
    await this.transactions.manager.query('DELETE FROM mfa_recovery_set WHERE user_id = $1', [userId]);
  }

  async deleteAll(userId: string): Promise<void> {
    await this.transactions.manager.query('DELETE FROM mfa_totp WHERE user_id = $1', [userId]);
    await this.deleteRecovery(userId);
  }

  /** Whether there is an app or a passkey; recovery codes alone are none. */
  async isEnrolled(userId: string): Promise<boolean> {
    return (await this.one<{ enrolled: boolean }>(IS_ENROLLED, [userId]))?.enrolled ?? false;
  }

  /** Secrets that do not begin so, in the order of their ids, from the one after `after` on. */
  findSecretsBut(
    prefix: string,
    after: string | undefined,
    limit: number,
  ): Promise<Pick<TotpFactor, 'id' | 'secret'>[]> {
    return this.transactions.manager.query(
      `SELECT id, secret FROM mfa_totp
       WHERE left(secret, length($1)) <> $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
      [prefix, after ?? null, limit],
    );
  }

  /** Compare-and-set. */
  async replaceSecret(id: string, from: string, to: string): Promise<void> {
    await this.transactions.manager.query('UPDATE mfa_totp SET secret = $3 WHERE id = $1 AND secret = $2', [
      id,
      from,
      to,
    ]);
  }

  /** Deletes up to `limit` whose first code never came, and answers how many. */
  async deleteUnconfirmed(limit: number): Promise<number> {
    return this.transactions.affected(
      `DELETE FROM mfa_totp WHERE id IN (
         SELECT id FROM mfa_totp WHERE confirmed_at IS NULL AND created_at < now() - ${UNCONFIRMED_LIFE}
         LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [limit],
    );
  }

  private async one<T>(sql: string, parameters: unknown[]): Promise<T | undefined> {
    return (await this.transactions.rows<T>(sql, parameters))[0];
  }
}

const UNCONFIRMED_LIFE = `interval '10 minutes'`;
const TOTP = `id, user_id AS "userId", secret, confirmed_at AS "confirmedAt", last_step AS "lastStep",
  created_at AS "createdAt", last_used_at AS "lastUsedAt"`;
