import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../platform/database';
import { MfaSession } from './mfa.entities';

export type NewMfaSession = Omit<MfaSession, 'attempts' | 'createdAt' | 'expiresAt'>;

/** Hashes of the two secrets that open an MFA session. */
export interface MfaSessionKey {
  readonly tokenHash: string;
  readonly browserHash: string;
}

const LIFE = `interval '5 minutes'`;
const MAX_ATTEMPTS = 5;
const COLUMNS = `id, user_id AS "userId", token_hash AS "tokenHash", browser_hash AS "browserHash",
  password_version AS "passwordVersion", login_method AS "loginMethod", amr, remember, deferred, attempts,
  created_at AS "createdAt", expires_at AS "expiresAt"`;

@Injectable()
export class MfaSessionRepository {
  constructor(
    @InjectRepository(MfaSession, CASTELLAN) private readonly logins: Repository<MfaSession>,
    private readonly transactions: Transactions,
  ) {}

  async insert(login: NewMfaSession): Promise<void> {
    await this.logins.insert({ ...login, expiresAt: () => `now() + ${LIFE}` });
  }

  async find({ tokenHash, browserHash }: MfaSessionKey): Promise<MfaSession | undefined> {
    const found = await this.logins
      .createQueryBuilder('login')
      .where({ tokenHash, browserHash, attempts: LessThan(MAX_ATTEMPTS) })
      .andWhere('login.expiresAt > now()')
      .getOne();
    return found ?? undefined;
  }

  /**
   * Uses one attempt. Returns undefined when none is left. Raw SQL to check and count in one statement, so that
   * parallel attempts cannot share a count.
   */
  async attempt({ tokenHash, browserHash }: MfaSessionKey): Promise<MfaSession | undefined> {
    const [pending] = await this.transactions.rows<MfaSession>(
      `UPDATE mfa_pending_login SET attempts = attempts + 1 
         WHERE token_hash = $1 AND browser_hash = $2 AND expires_at > now() AND attempts < ${MAX_ATTEMPTS}
       RETURNING ${COLUMNS}`,
      [tokenHash, browserHash],
    );
    return pending;
  }

  /** Returns true for only one of parallel calls. */
  async consume(id: string): Promise<boolean> {
    const { affected } = await this.logins.delete({ id });
    return affected === 1;
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.logins.delete({ userId });
  }

  /** Raw SQL for a batch that skips locked rows. */
  async deleteExpired(limit: number): Promise<number> {
    const rows = await this.transactions.rows(
      `DELETE FROM mfa_pending_login WHERE id IN (
         SELECT id FROM mfa_pending_login WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING id`,
      [limit],
    );
    return rows.length;
  }
}
