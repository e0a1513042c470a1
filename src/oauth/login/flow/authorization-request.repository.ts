import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../../platform/database';
import { FlowMode, AuthorizationRequest } from './authorization-request.entity';

const COLUMNS = `id, provider_id AS "providerId", provider_version AS "providerVersion", browser, mode,
  user_id AS "userId", session_id AS "sessionId", redirect_uri AS "redirectUri", return_to AS "returnTo", nonce,
  code_verifier AS "codeVerifier", expires_at AS "expiresAt"`;

@Injectable()
export class AuthorizationRequestRepository {
  constructor(
    @InjectRepository(AuthorizationRequest, CASTELLAN) private readonly states: Repository<AuthorizationRequest>,
    private readonly transactions: Transactions,
  ) {}

  async insert(state: Omit<AuthorizationRequest, 'expiresAt'>, lifeSeconds: number): Promise<void> {
    await this.states
      .createQueryBuilder()
      .insert()
      .values({ ...state, expiresAt: () => 'now() + make_interval(secs => :life)' })
      .setParameter('life', lifeSeconds)
      .execute();
  }

  /**
   * Deletes and returns the request, to only one of several concurrent callers. Undefined if it is unknown, expired or
   * already consumed. SQL: one statement deletes the row and returns it.
   */
  async take(id: string): Promise<AuthorizationRequest | undefined> {
    const [row] = await this.transactions.rows<AuthorizationRequest & { live: boolean }>(
      `DELETE FROM oauth_state WHERE id = $1 RETURNING ${COLUMNS}, expires_at > now() AS live`,
      [id],
    );
    return row?.live ? row : undefined;
  }

  async findMode(id: string): Promise<FlowMode | undefined> {
    const state = await this.states.findOne({ select: { mode: true }, where: { id } });
    return state?.mode;
  }

  /** Deletes up to `limit` expired requests and returns their number. SQL: skips locked rows. */
  async deleteExpired(limit: number): Promise<number> {
    return this.transactions.affected(
      `DELETE FROM oauth_state WHERE id IN (
         SELECT id FROM oauth_state WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [limit],
    );
  }
}
