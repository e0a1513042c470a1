import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { FlowMode, LoginState } from './login-state.entity';

const COLUMNS = `id, provider_id AS "providerId", provider_version AS "providerVersion", browser, mode,
  user_id AS "userId", session_id AS "sessionId", redirect_uri AS "redirectUri", return_to AS "returnTo", nonce,
  code_verifier AS "codeVerifier", expires_at AS "expiresAt"`;

@Injectable()
export class LoginStateRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(state: Omit<LoginState, 'expiresAt'>, lifeSeconds: number): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO oauth_state (id, provider_id, provider_version, browser, mode, user_id, session_id, redirect_uri,
         return_to, nonce, code_verifier, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + make_interval(secs => $12::int))`,
      [
        state.id,
        state.providerId,
        state.providerVersion,
        state.browser,
        state.mode,
        state.userId,
        state.sessionId,
        state.redirectUri,
        state.returnTo,
        state.nonce,
        state.codeVerifier,
        lifeSeconds,
      ],
    );
  }

  /** Of parallel callers one gets it; undefined where it is spent, expired or was never there. */
  async take(id: string): Promise<LoginState | undefined> {
    const [row] = await this.transactions.rows<LoginState & { live: boolean }>(
      `DELETE FROM oauth_state WHERE id = $1 RETURNING ${COLUMNS}, expires_at > now() AS live`,
      [id],
    );
    return row?.live ? row : undefined;
  }

  async findMode(id: string): Promise<FlowMode | undefined> {
    const rows = await this.transactions.manager.query<{ mode: FlowMode }[]>(
      'SELECT mode FROM oauth_state WHERE id = $1',
      [id],
    );
    return rows[0]?.mode;
  }

  /** Deletes up to `limit` that nobody came back with, and answers how many. */
  async deleteExpired(limit: number): Promise<number> {
    return this.transactions.affected(
      `DELETE FROM oauth_state WHERE id IN (
         SELECT id FROM oauth_state WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [limit],
    );
  }
}
