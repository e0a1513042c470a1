import { Injectable } from '@nestjs/common';
import type { AdapterPayload } from 'oidc-provider';
import { sha256 } from '../../platform/crypto';
import { prepared, Transactions } from '../../platform/database';

export interface NewArtifact {
  readonly model: string;
  /** A digest. */
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly grantId: string | null;
  readonly clientId: string | null;
  readonly userId: string | null;
  readonly sessionId: string | null;
}

export interface StoredArtifact {
  readonly payload: AdapterPayload;
  /** By the database's clock. */
  readonly secondsLeft: number;
  /** How long ago it was consumed, if it was. */
  readonly consumedSeconds: number | null;
}

/** A replay of what was spent is known as one for this long. */
const KEPT_AFTER_USE = `interval '1 hour'`;

const COLUMNS = `payload, extract(epoch FROM expires_at - now())::float8 AS "secondsLeft",
  extract(epoch FROM now() - consumed_at)::float8 AS "consumedSeconds"`;

/** Nothing is good of a user who may not log in, or of a session that was ended, whoever forgot to clear it away. */
const STANDS = `expires_at > now()
  AND (user_id IS NULL OR EXISTS (SELECT 1 FROM user_account WHERE id = artifact.user_id AND status = 'active'))
  AND NOT EXISTS (SELECT 1 FROM session WHERE id = artifact.session_id AND revoked_at IS NOT NULL)`;

const ROW = `(model, id, payload, grant_id, client_id, user_id, session_id, expires_at)
  VALUES ($1, $2, $3::jsonb, $4, $5, $6, $7, now() + make_interval(secs => $8::int))`;

/** A login state is used by parallel requests for different clients; none of them may forget what another added. */
const MERGED = `jsonb_set(excluded.payload, '{authorizations}',
  coalesce(oauth_artifact.payload -> 'authorizations', '{}') || coalesce(excluded.payload -> 'authorizations', '{}'))`;

const deletion = (condition: string): string =>
  prepared(`DELETE FROM oauth_artifact WHERE ${condition} RETURNING model, payload`);
const DELETE_OF_SESSIONS = deletion('user_id = $1 AND session_id = ANY($2::uuid[])');
const DELETE_OF_USER = deletion('user_id = $1 AND session_id IS DISTINCT FROM $2::uuid');

@Injectable()
export class ArtifactRepository {
  constructor(private readonly transactions: Transactions) {}

  async save(artifact: NewArtifact, seconds: number): Promise<void> {
    await this.run(
      `INSERT INTO oauth_artifact ${ROW}
       ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, user_id = excluded.user_id,
         session_id = excluded.session_id, expires_at = excluded.expires_at`,
      row(artifact, seconds),
    );
  }

  async saveLoginState(artifact: NewArtifact, seconds: number): Promise<void> {
    await this.run(
      `INSERT INTO oauth_artifact ${ROW}
       ON CONFLICT (model, id) DO UPDATE SET payload = ${MERGED}, expires_at = excluded.expires_at`,
      row(artifact, seconds),
    );
  }

  /** Answers whether it was not there yet; one that is stays as it is. */
  async saveOnce(artifact: NewArtifact, seconds: number): Promise<boolean> {
    const sql = `INSERT INTO oauth_artifact ${ROW} ON CONFLICT (model, id) DO NOTHING RETURNING id`;
    return (await this.transactions.rows(sql, row(artifact, seconds))).length > 0;
  }

  async find(model: string, id: string): Promise<StoredArtifact | undefined> {
    const sql = `SELECT ${COLUMNS} FROM oauth_artifact AS artifact WHERE model = $1 AND id = $2 AND ${STANDS}`;
    return (await this.transactions.rows<StoredArtifact>(sql, [model, id]))[0];
  }

  /** One conditional update: of parallel callers one is answered true. @param mark stays with what was consumed. */
  async consume(model: string, id: string, mark: object = {}): Promise<boolean> {
    const sql = `UPDATE oauth_artifact SET consumed_at = now(), payload = payload || $3::jsonb,
        expires_at = greatest(expires_at, now() + ${KEPT_AFTER_USE})
      WHERE model = $1 AND id = $2 AND consumed_at IS NULL AND expires_at > now() RETURNING id`;
    return (await this.transactions.rows(sql, [model, id, JSON.stringify(mark)])).length > 0;
  }

  async delete(model: string, id: string): Promise<void> {
    await this.run('DELETE FROM oauth_artifact WHERE model = $1 AND id = $2', [model, id]);
  }

  /** With all that was given by it; answers whether there was anything. */
  async deleteGrant(grantId: string): Promise<boolean> {
    const sql = `DELETE FROM oauth_artifact WHERE grant_id = $1 OR (model = 'Grant' AND id = $2)`;
    return (await this.transactions.affected(sql, [grantId, sha256(grantId)])) > 0;
  }

  /** All that was given by the grant, which itself stays; answers whether there was anything. */
  async deleteGivenBy(grantId: string): Promise<boolean> {
    const sql = `DELETE FROM oauth_artifact
      WHERE grant_id = $1 AND model IN ('AccessToken', 'RefreshToken', 'AuthorizationCode')`;
    return (await this.transactions.affected(sql, [grantId])) > 0;
  }

  async deleteOfClients(clientIds: readonly string[]): Promise<void> {
    if (clientIds.length === 0) return;
    await this.run('DELETE FROM oauth_artifact WHERE client_id = ANY($1::text[])', [clientIds]);
  }

  /** Requests that were not answered yet, and codes that nobody used. */
  async deleteUnderWay(clientId: string): Promise<void> {
    await this.run(
      `DELETE FROM oauth_artifact
       WHERE client_id = $1 AND model IN ('Interaction', 'AuthorizationCode') AND consumed_at IS NULL`,
      [clientId],
    );
  }

  /** @param keep a session whose grant and tokens stay. */
  async deleteOfConsent(userId: string, clientId: string, keep: string | null = null): Promise<void> {
    await this.run(
      `DELETE FROM oauth_artifact
       WHERE user_id = $1 AND client_id = $2 AND ($3::uuid IS NULL OR session_id IS DISTINCT FROM $3)`,
      [userId, clientId, keep],
    );
  }

  /** Everything made in the sessions, and the login states that go with them. */
  async deleteOfSessions(userId: string, ids: readonly string[]): Promise<AdapterPayload[]> {
    return this.deleteReturning(DELETE_OF_SESSIONS, [userId, ids]);
  }

  /** Everything of the user but what was made in the one session. */
  async deleteOfUser(userId: string, keep: string | null): Promise<AdapterPayload[]> {
    return this.deleteReturning(DELETE_OF_USER, [userId, keep]);
  }

  /** Up to `limit` sessions that were ended while something was still being written in them. */
  findOfEnded(limit: number): Promise<{ userId: string; sessionId: string }[]> {
    return this.transactions.rows(
      `SELECT DISTINCT session.user_id AS "userId", session.id AS "sessionId"
       FROM session JOIN oauth_artifact AS artifact ON artifact.session_id = session.id AND artifact.user_id = session.user_id
       WHERE session.revoked_at IS NOT NULL LIMIT $1`,
      [limit],
    );
  }

  /** The grant was made in this session and ends with it. */
  async bindGrant(id: string, sessionId: string): Promise<void> {
    await this.run(`UPDATE oauth_artifact SET session_id = $2 WHERE model = 'Grant' AND id = $1`, [id, sessionId]);
  }

  /** Lets up to `limit` login states that are about to end go on for as long as their sessions do, and answers how many. */
  async followSessions(limit: number): Promise<number> {
    const rows = await this.transactions.rows(
      `UPDATE oauth_artifact AS artifact SET expires_at = session.expires_at
       FROM session WHERE session.id = artifact.session_id AND (model, artifact.id) IN (
         SELECT model, state.id FROM oauth_artifact AS state JOIN session ON session.id = state.session_id
         WHERE model = 'Session' AND state.expires_at < now() + interval '1 hour'
           AND session.expires_at > greatest(state.expires_at, now()) AND session.revoked_at IS NULL
         LIMIT $1 FOR UPDATE OF state SKIP LOCKED)
       RETURNING artifact.id`,
      [limit],
    );
    return rows.length;
  }

  /** Deletes up to `limit` of those past their time, and answers how many. */
  async deleteExpired(limit: number): Promise<number> {
    const rows = await this.transactions.rows(
      `DELETE FROM oauth_artifact WHERE (model, id) IN (
         SELECT model, id FROM oauth_artifact WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [limit],
    );
    return rows.length;
  }

  /** Answers the login states among them. */
  private async deleteReturning(sql: string, parameters: unknown[]): Promise<AdapterPayload[]> {
    const rows = await this.transactions.rows<{ model: string; payload: AdapterPayload }>(sql, parameters);
    return rows.filter(({ model }) => model === 'Session').map(({ payload }) => payload);
  }

  private async run(sql: string, parameters: unknown[]): Promise<void> {
    await this.transactions.manager.query(sql, parameters);
  }
}

function row({ model, id, payload, grantId, clientId, userId, sessionId }: NewArtifact, seconds: number): unknown[] {
  return [model, id, JSON.stringify(payload), grantId, clientId, userId, sessionId, seconds];
}
