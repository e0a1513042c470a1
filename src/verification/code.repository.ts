import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, inFuture, Transactions } from '../platform/database';
import { CodePurpose } from '../messaging';
import { CodeTarget } from './code-targets.service';
import { VerificationCode } from './verification-code.entity';

/** Where a code stands: there is one at a time for each. */
export interface CodePlace extends Pick<CodeTarget, 'channel' | 'key'> {
  readonly purpose: CodePurpose;
}

/** Whom a code serves. */
export interface CodeHolder {
  readonly userId: string | null;
  readonly sessionId: string | null;
}

export interface NewCode extends CodePlace, CodeHolder {
  readonly id: string;
  readonly digest: string;
}

export interface PendingCode extends CodeHolder {
  readonly id: string;
  readonly digest: string;
}

/** A code that gave way to the next one, as it stood. */
export interface PreviousCode extends PendingCode {
  readonly attempts: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

@Injectable()
export class CodeRepository {
  constructor(
    @InjectRepository(VerificationCode, CASTELLAN) private readonly codes: Repository<VerificationCode>,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Takes the place of the code that stood there, and answers that one, if it was still good. Within a transaction. SQL:
   * ON CONFLICT, by which of parallel codes the last stays.
   */
  async put(code: NewCode, ttlSeconds: number): Promise<PreviousCode | undefined> {
    const former = (await this.lock(code)) ?? undefined;
    await this.transactions.rows(
      `INSERT INTO verification_code (id, purpose, channel, target, digest, user_id, session_id, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8::int))
       ON CONFLICT (purpose, channel, target) DO UPDATE SET id = excluded.id, digest = excluded.digest,
         user_id = excluded.user_id, session_id = excluded.session_id, attempts = 0, created_at = now(),
         expires_at = excluded.expires_at
       RETURNING id`,
      [code.id, code.purpose, code.channel, code.key, code.digest, code.userId, code.sessionId, ttlSeconds],
    );
    return former;
  }

  /**
   * Takes a code away, and puts the one that it took the place of back, with the tries at both. Where it gave way to the
   * next one itself, or ended with its user's others, nothing comes back; nor what served somebody else. What comes back
   * may have been withdrawn, too, where both were under way at once: a code that nobody received.
   */
  async withdraw(id: string, former: PreviousCode | undefined): Promise<void> {
    if (former && (await this.putBack(id, former))) return;
    await this.codes.delete({ id });
  }

  /** SQL: a compare-and-set in which a missing user is compared, too. */
  private async putBack(id: string, former: PreviousCode): Promise<boolean> {
    const back = await this.transactions.rows(
      `UPDATE verification_code SET id = $2, digest = $3, session_id = $4, attempts = attempts + $5::int, created_at = $6,
         expires_at = $7
       WHERE id = $1 AND user_id IS NOT DISTINCT FROM $8::uuid RETURNING id`,
      [
        id,
        former.id,
        former.digest,
        former.sessionId,
        former.attempts,
        former.createdAt,
        former.expiresAt,
        former.userId,
      ],
    );
    return back.length > 0;
  }

  private lock({ purpose, channel, key: target }: CodePlace): Promise<PreviousCode | null> {
    return this.codes.findOne({
      where: { purpose, channel, target, expiresAt: inFuture() },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /**
   * Counts an attempt at the code that stands there; undefined where there is none left to try. SQL: one compare-and-set that
   * returns the row.
   */
  async attempt({ purpose, channel, key }: CodePlace, maxAttempts: number): Promise<PendingCode | undefined> {
    const [code] = await this.transactions.rows<PendingCode>(
      `UPDATE verification_code SET attempts = attempts + 1
       WHERE purpose = $1 AND channel = $2 AND target = $3 AND attempts < $4::int AND expires_at > now()
       RETURNING id, digest, user_id AS "userId", session_id AS "sessionId"`,
      [purpose, channel, key, maxAttempts],
    );
    return code;
  }

  /** The attempt was right. */
  async giveBack(id: string): Promise<void> {
    await this.codes.update({ id }, { attempts: () => 'greatest(attempts - 1, 0)' });
  }

  /** Of parallel calls one is answered true, once its transaction commits. */
  async consume(id: string): Promise<boolean> {
    const { affected } = await this.codes.delete({ id, expiresAt: inFuture() });
    return affected === 1;
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.codes.delete({ userId });
  }

  /** Deletes up to `limit` codes that have expired, and answers how many. SQL: a batch that skips locked rows. */
  async deleteExpired(limit: number): Promise<number> {
    const gone = await this.transactions.rows(
      `DELETE FROM verification_code WHERE id IN (
         SELECT id FROM verification_code WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [limit],
    );
    return gone.length;
  }
}
