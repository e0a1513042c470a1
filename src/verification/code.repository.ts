import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { CASTELLAN, inFuture, Transactions } from '../platform/database';
import { CodePurpose } from '../messaging';
import { CodeTarget } from './code-targets.service';
import { VerificationCode } from './verification-code.entity';

/** Identifies a code. There is at most one for each. */
export interface CodePlace extends Pick<CodeTarget, 'channel' | 'key'> {
  readonly purpose: CodePurpose;
}

/** The user and session that may use a code. */
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

/** A replaced code, as it was. */
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
   * Stores a code and returns the previous one, if it was still valid. Runs in a transaction. SQL: ON CONFLICT, so that
   * the last of several concurrent codes remains.
   */
  async put(code: NewCode, ttlSeconds: number): Promise<PreviousCode | undefined> {
    const previous = (await this.lock(code)) ?? undefined;
    await this.transactions.rows(
      `INSERT INTO verification_code (id, purpose, channel, target, digest, user_id, session_id, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8::int))
       ON CONFLICT (purpose, channel, target) DO UPDATE SET id = excluded.id, digest = excluded.digest,
         user_id = excluded.user_id, session_id = excluded.session_id, attempts = 0, created_at = now(),
         expires_at = excluded.expires_at
       RETURNING id`,
      [code.id, code.purpose, code.channel, code.key, code.digest, code.userId, code.sessionId, ttlSeconds],
    );
    return previous;
  }

  /**
   * Deletes a code and restores the previous one with the attempts of both. Restores nothing if the code has been
   * replaced or deleted, or if the previous one was for another user. If two concurrent codes are withdrawn, the
   * restored code may be one that was never delivered.
   */
  async withdraw(id: string, previous: PreviousCode | undefined): Promise<void> {
    if (previous && (await this.putBack(id, previous))) return;
    await this.codes.delete({ id });
  }

  /** SQL: a compare-and-set that also compares a missing user. */
  private async putBack(id: string, previous: PreviousCode): Promise<boolean> {
    const back = await this.transactions.rows(
      `UPDATE verification_code SET id = $2, digest = $3, session_id = $4, attempts = attempts + $5::int, created_at = $6,
         expires_at = $7
       WHERE id = $1 AND user_id IS NOT DISTINCT FROM $8::uuid RETURNING id`,
      [
        id,
        previous.id,
        previous.digest,
        previous.sessionId,
        previous.attempts,
        previous.createdAt,
        previous.expiresAt,
        previous.userId,
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
   * Counts an attempt and returns the code. Undefined if there is no code with attempts left. SQL: one compare-and-set
   * that returns the row.
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

  /** Undoes the count of a correct attempt. */
  async giveBack(id: string): Promise<void> {
    await this.codes.update({ id }, { attempts: () => 'greatest(attempts - 1, 0)' });
  }

  /** True for only one of several concurrent calls, once its transaction commits. */
  async consume(id: string): Promise<boolean> {
    const { affected } = await this.codes.delete({ id, expiresAt: inFuture() });
    return affected === 1;
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.codes.delete({ userId });
  }

  async deleteOfUsers(userIds: readonly string[]): Promise<void> {
    await this.codes.delete({ userId: Any(userIds) });
  }

  /** Deletes up to `limit` expired codes and returns their number. SQL: skips locked rows. */
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
