import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Raw, Repository } from 'typeorm';
import { CASTELLAN, preparedStatement, Transactions } from '../platform/database';
import { RecoverySet, TotpFactor } from './mfa.entities';

const UNCONFIRMED_LIFE = `interval '10 minutes'`;

/** SQL: the ids of the users who have an app or a passkey, a row for each of these. Recovery codes alone do not count. */
export const ENROLLED_USERS = `SELECT user_id FROM mfa_totp WHERE confirmed_at IS NOT NULL
  UNION ALL SELECT user_id FROM mfa_passkey`;

/**
 * SQL: whether the user is one of them, found by index.
 * @param userId SQL of the user's id
 */
export const isEnrolled = (userId: string): string =>
  `(EXISTS (SELECT 1 FROM mfa_totp WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM mfa_passkey WHERE user_id = ${userId}))`;

/** Prepared because every login runs it. */
const IS_ENROLLED = preparedStatement(`SELECT ${isEnrolled('$1')} AS enrolled`);

/** TOTP secrets and recovery codes. */
@Injectable()
export class FactorRepository {
  constructor(
    @InjectRepository(TotpFactor, CASTELLAN) private readonly factors: Repository<TotpFactor>,
    @InjectRepository(RecoverySet, CASTELLAN) private readonly recoverySets: Repository<RecoverySet>,
    private readonly transactions: Transactions,
  ) {}

  /** The confirmed factor. */
  findTotp(userId: string): Promise<TotpFactor | null> {
    return this.factors.findOneBy({ userId, confirmedAt: Not(IsNull()) });
  }

  /** A factor created within the last ten minutes that is not confirmed yet. */
  findUnconfirmedTotp(userId: string, id: string): Promise<TotpFactor | null> {
    const createdAt = Raw<Date>((column) => `${column} > now() - ${UNCONFIRMED_LIFE}`);
    return this.factors.findOneBy({ userId, id, confirmedAt: IsNull(), createdAt });
  }

  /** Replaces other unconfirmed factors. */
  async insertTotp(totp: Pick<TotpFactor, 'id' | 'userId' | 'secret'>): Promise<void> {
    await this.factors.delete({ userId: totp.userId, confirmedAt: IsNull() });
    await this.factors.insert(totp);
  }

  /**
   * Confirms the factor, deletes the user's other ones and consumes the code's time step. Returns false when it is
   * already confirmed or gone.
   */
  async confirmTotp(userId: string, id: string, step: number): Promise<boolean> {
    const now = (): string => 'now()';
    const { affected } = await this.factors.update(
      { userId, id, confirmedAt: IsNull() },
      { confirmedAt: now, lastUsedAt: now, lastStep: String(step) },
    );
    if (affected !== 1) return false;
    await this.factors.delete({ userId, id: Not(id) });
    return true;
  }

  /** Inserts apps of users who have none. Raw SQL for a batch of any length as one parameter. */
  async insertConfirmed(apps: readonly Pick<TotpFactor, 'id' | 'userId' | 'secret'>[]): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO mfa_totp (id, user_id, secret, confirmed_at, last_step)
       SELECT id, "userId", secret, now(), 0
       FROM jsonb_to_recordset($1::jsonb) AS app (id uuid, "userId" uuid, secret text)`,
      [JSON.stringify(apps)],
    );
  }

  /** Consumes a time step and all earlier ones, each once (RFC 6238 §5.2). Raw SQL for one compare-and-set. */
  async consumeStep(id: string, step: number): Promise<boolean> {
    const consumed = await this.transactions.rows(
      `UPDATE mfa_totp SET last_step = $2, last_used_at = now() WHERE id = $1 AND last_step < $2 RETURNING id`,
      [id, step],
    );
    return consumed.length > 0;
  }

  async deleteTotp(userId: string, id: string): Promise<boolean> {
    const { affected } = await this.factors.delete({ userId, id, confirmedAt: Not(IsNull()) });
    return affected === 1;
  }

  findRecovery(userId: string): Promise<RecoverySet | null> {
    return this.recoverySets.findOneBy({ userId });
  }

  /** Replaces the user's set. */
  async replaceRecovery(set: Pick<RecoverySet, 'id' | 'userId' | 'codes'>): Promise<void> {
    await this.deleteRecovery(set.userId);
    await this.recoverySets.insert(set);
  }

  /** Of parallel uses of one code only one succeeds. Raw SQL for one compare-and-set on JSON. */
  async consumeRecovery(userId: string, code: string): Promise<boolean> {
    const consumed = await this.transactions.rows(
      `UPDATE mfa_recovery_set SET codes = codes - $2::text, last_used_at = now()
       WHERE user_id = $1 AND codes ? $2::text RETURNING id`,
      [userId, code],
    );
    return consumed.length > 0;
  }

  async deleteRecovery(userId: string): Promise<void> {
    await this.recoverySets.delete({ userId });
  }

  async deleteAll(userId: string): Promise<void> {
    await this.factors.delete({ userId });
    await this.deleteRecovery(userId);
  }

  /** Whether the user has an app or a passkey. Recovery codes alone do not count. */
  async isEnrolled(userId: string): Promise<boolean> {
    const [row] = await this.transactions.rows<{ enrolled: boolean }>(IS_ENROLLED, [userId]);
    return row?.enrolled ?? false;
  }

  /** The users who have an app or a passkey. Raw SQL for the same condition as `isEnrolled`. */
  async enrolledAmong(userIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.transactions.rows<{ id: string }>(
      `SELECT wanted.id FROM unnest($1::uuid[]) AS wanted (id) WHERE ${isEnrolled('wanted.id')}`,
      [userIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Secrets that do not start with the prefix, by id, after the id `after`. Raw SQL for a keyset page. */
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
    await this.factors.update({ id, secret: from }, { secret: to });
  }

  /**
   * Deletes up to `limit` factors that were never confirmed and returns how many. Raw SQL for a batch that skips locked
   * rows.
   */
  async deleteUnconfirmed(limit: number): Promise<number> {
    return this.transactions.affected(
      `DELETE FROM mfa_totp WHERE id IN (
         SELECT id FROM mfa_totp WHERE confirmed_at IS NULL AND created_at < now() - ${UNCONFIRMED_LIFE}
         LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [limit],
    );
  }
}
