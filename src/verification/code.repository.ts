import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../platform/database';
import { CodePurpose } from '../messaging';
import { CodeTarget } from './code-targets.service';
import { VerificationCode } from './verification-code.entity';

/** What a code is for. */
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
  /** Hash of the secret of the browser that requested it. */
  readonly browser: string | null;
}

export interface PendingCode extends CodeHolder {
  readonly id: string;
  readonly digest: string;
}

/** Who attempts a code. */
export interface CodeUser {
  /** Hashes of the secrets that the browser received with requests for codes. */
  readonly browsers: readonly string[];
  readonly sessionId: string | null;
}

/** A pending code that may be attempted. */
export interface CodeCandidate {
  readonly id: string;
  /** Whether the browser or session requested it. Its attempts are counted separately. */
  readonly isOwn: boolean;
}

@Injectable()
export class CodeRepository {
  constructor(
    @InjectRepository(VerificationCode, CASTELLAN) private readonly codes: Repository<VerificationCode>,
    private readonly transactions: Transactions,
  ) {}

  async insert(code: NewCode, ttlSeconds: number): Promise<void> {
    await this.transactions.rows(
      `INSERT INTO verification_code (id, purpose, channel, target, digest, user_id, session_id, browser, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9::int)) RETURNING id`,
      [
        code.id,
        code.purpose,
        code.channel,
        code.key,
        code.digest,
        code.userId,
        code.sessionId,
        code.browser,
        ttlSeconds,
      ],
    );
  }

  /** Deletes a code that was not delivered. The previous one, which may have arrived, is the newest again. */
  async withdraw(id: string): Promise<void> {
    await this.codes.delete({ id });
  }

  /**
   * The newest pending code that the user's browser or session requested, and the newest one of others if it is newer.
   * Includes codes without attempts left, because the code before such a one must not become valid again. SQL: DISTINCT ON.
   */
  async candidates({ purpose, channel, key }: CodePlace, { browsers, sessionId }: CodeUser): Promise<CodeCandidate[]> {
    const newest = await this.transactions.rows<CodeCandidate & { createdAt: Date }>(
      `SELECT DISTINCT ON ("isOwn") id, "isOwn", created_at AS "createdAt" FROM (
         SELECT id, created_at, coalesce(browser = ANY($4::text[]), false) OR coalesce(session_id = $5::uuid, false)
           AS "isOwn"
         FROM verification_code WHERE purpose = $1 AND channel = $2 AND target = $3 AND expires_at > now()) pending
       ORDER BY "isOwn" DESC, created_at DESC, id DESC`,
      [purpose, channel, key, browsers, sessionId],
    );
    const [first, second] = newest;
    if (!first || !second) return newest;
    return second.createdAt > first.createdAt ? [first, second] : [first];
  }

  /**
   * Counts an attempt and returns the code. Undefined if it has no attempts left. SQL: one compare-and-set that returns
   * the row.
   */
  async attempt({ id, isOwn }: CodeCandidate, maxAttempts: number): Promise<PendingCode | undefined> {
    const column = columnOf(isOwn);
    const [code] = await this.transactions.rows<PendingCode>(
      `UPDATE verification_code SET ${column} = ${column} + 1
       WHERE id = $1 AND ${column} < $2::int AND expires_at > now()
       RETURNING id, digest, user_id AS "userId", session_id AS "sessionId"`,
      [id, maxAttempts],
    );
    return code;
  }

  /** Undoes the count of a correct attempt. */
  async giveBack({ id, isOwn }: CodeCandidate): Promise<void> {
    const undone = isOwn
      ? { attempts: () => 'greatest(attempts - 1, 0)' }
      : { sharedAttempts: () => 'greatest(shared_attempts - 1, 0)' };
    await this.codes.update({ id }, undone);
  }

  /**
   * Deletes the code and all others of its purpose, channel and target. True for only one of several concurrent calls,
   * once its transaction commits. SQL: locks the rows in one order.
   */
  async consume(id: string): Promise<boolean> {
    const gone = await this.transactions.rows<{ id: string }>(
      `DELETE FROM verification_code WHERE id IN (
         SELECT other.id FROM verification_code other
         JOIN verification_code used USING (purpose, channel, target)
         WHERE used.id = $1 AND used.expires_at > now() ORDER BY other.id FOR UPDATE OF other)
       RETURNING id`,
      [id],
    );
    return gone.some((code) => code.id === id);
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

const columnOf = (isOwn: boolean): string => (isOwn ? 'attempts' : 'shared_attempts');
