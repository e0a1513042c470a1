import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { PendingLogin } from './mfa.entities';

export type NewPendingLogin = Omit<PendingLogin, 'attempts' | 'createdAt' | 'expiresAt'>;

/** What shows that somebody is halfway through this login. */
export interface PendingKey {
  readonly tokenHash: string;
  readonly browserHash: string;
}

const LIFE = `interval '5 minutes'`;
const ATTEMPTS = 5;
const COLUMNS = `id, user_id AS "userId", token_hash AS "tokenHash", browser_hash AS "browserHash",
  password_version AS "passwordVersion", login_method AS "loginMethod", amr, remember, deferred, attempts,
  created_at AS "createdAt", expires_at AS "expiresAt"`;
const ALIVE = `token_hash = $1 AND browser_hash = $2 AND expires_at > now()`;

@Injectable()
export class PendingLoginRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(login: NewPendingLogin): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO mfa_pending_login (id, user_id, token_hash, browser_hash, password_version, login_method, amr, remember, deferred,
         expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, now() + ${LIFE})`,
      [
        login.id,
        login.userId,
        login.tokenHash,
        login.browserHash,
        login.passwordVersion,
        login.loginMethod,
        JSON.stringify(login.amr),
        login.remember,
        login.deferred,
      ],
    );
  }

  async find({ tokenHash, browserHash }: PendingKey): Promise<PendingLogin | undefined> {
    const [row] = await this.transactions.manager.query<PendingLogin[]>(
      `SELECT ${COLUMNS} FROM mfa_pending_login WHERE ${ALIVE} AND attempts < ${ATTEMPTS}`,
      [tokenHash, browserHash],
    );
    return row;
  }

  /** Takes one of its tries, and answers it; undefined when none is left. Parallel tries are counted one by one. */
  async attempt({ tokenHash, browserHash }: PendingKey): Promise<PendingLogin | undefined> {
    const [pending] = await this.transactions.rows<PendingLogin>(
      `UPDATE mfa_pending_login SET attempts = attempts + 1 WHERE ${ALIVE} AND attempts < ${ATTEMPTS} RETURNING ${COLUMNS}`,
      [tokenHash, browserHash],
    );
    return pending;
  }

  /** Of parallel successes one spends it. */
  async spend(id: string): Promise<boolean> {
    const { affected } = await this.transactions.manager.delete(PendingLogin, { id });
    return affected === 1;
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.transactions.manager.delete(PendingLogin, { userId });
  }

  async deleteExpired(limit: number): Promise<number> {
    const rows = await this.transactions.rows(
      `DELETE FROM mfa_pending_login WHERE id IN (
         SELECT id FROM mfa_pending_login WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING id`,
      [limit],
    );
    return rows.length;
  }
}
