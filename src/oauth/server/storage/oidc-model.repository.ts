import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { AdapterPayload } from 'oidc-provider';
import { Any, In, IsNull, Repository } from 'typeorm';
import { sha256 } from '../../../platform/crypto';
import { CASTELLAN, preparedStatement, Transactions } from '../../../platform/database';
import { OidcModel } from './oidc-model.entity';
import { IS_VALID, OidcModelLookup, StoredOidcModel } from './oidc-model-lookup.repository';

export interface NewOidcModel {
  readonly model: string;
  /** A digest. */
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly grantId: string | null;
  readonly clientId: string | null;
  readonly userId: string | null;
  readonly sessionId: string | null;
}

/** How long a consumed token is kept to detect replays. */
const KEPT_AFTER_USE = `interval '1 hour'`;

const ROW = `(model, id, payload, grant_id, client_id, user_id, session_id, expires_at)
  VALUES ($1, $2, $3::jsonb, $4, $5, $6, $7, now() + make_interval(secs => $8::int))`;

/** Merges the authorizations, because concurrent requests for different clients use the same library session. */
const MERGED = `jsonb_set(excluded.payload, '{authorizations}',
  coalesce(oauth_artifact.payload -> 'authorizations', '{}') || coalesce(excluded.payload -> 'authorizations', '{}'))`;

/** One statement deletes the rows and returns the data for notices. Prepared, because each logout runs it. */
const deletion = (condition: string): string =>
  `DELETE FROM oauth_artifact WHERE ${condition} RETURNING model, payload`;
const DELETE_OF_SESSIONS = preparedStatement(deletion('user_id = $1 AND session_id = ANY($2::uuid[])'));
/** Not prepared: batches are rare, and a kept plan for few rows would scan the table. */
const DELETE_OF_USERS = deletion('user_id = ANY($1::uuid[])');
const DELETE_OF_USER = preparedStatement(deletion('user_id = $1 AND session_id IS DISTINCT FROM $2::uuid'));

/** Prepared, because requests to the token endpoint, userinfo and introspection run them. */
const SAVE = preparedStatement(`INSERT INTO oauth_artifact ${ROW}
  ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, user_id = excluded.user_id,
    session_id = excluded.session_id, expires_at = excluded.expires_at`);
const SAVE_BROWSER_SESSION = preparedStatement(`INSERT INTO oauth_artifact ${ROW}
  ON CONFLICT (model, id) DO UPDATE SET payload = ${MERGED}, expires_at = excluded.expires_at`);
const SAVE_ONCE = preparedStatement(
  `INSERT INTO oauth_artifact ${ROW} ON CONFLICT (model, id) DO NOTHING RETURNING id`,
);
const CONSUME = preparedStatement(`UPDATE oauth_artifact SET consumed_at = now(), payload = payload || $3::jsonb,
    expires_at = greatest(expires_at, now() + ${KEPT_AFTER_USE})
  WHERE model = $1 AND id = $2 AND consumed_at IS NULL AND expires_at > now() RETURNING id`);

@Injectable()
export class OidcModelRepository {
  private readonly lookup: OidcModelLookup;

  constructor(
    @InjectRepository(OidcModel, CASTELLAN) private readonly artifacts: Repository<OidcModel>,
    private readonly transactions: Transactions,
  ) {
    this.lookup = new OidcModelLookup(transactions);
  }

  /** SQL in this method and the next two: ON CONFLICT decides between concurrent writes. */
  async save(artifact: NewOidcModel, seconds: number): Promise<void> {
    await this.run(SAVE, row(artifact, seconds));
  }

  async saveBrowserSession(artifact: NewOidcModel, seconds: number): Promise<void> {
    await this.run(SAVE_BROWSER_SESSION, row(artifact, seconds));
  }

  /** Returns whether the row was new. An existing row is not changed. */
  async saveOnce(artifact: NewOidcModel, seconds: number): Promise<boolean> {
    return (await this.transactions.rows(SAVE_ONCE, row(artifact, seconds))).length > 0;
  }

  find(model: string, id: string): Promise<StoredOidcModel | undefined> {
    return this.lookup.find(model, id);
  }

  /** Whether the user is logged in at the client in any session. SQL: the conditions of `find`, and a key in JSON. */
  async hasBrowserSession(clientId: string, userId: string): Promise<boolean> {
    const sql = `SELECT 1 FROM oauth_artifact AS artifact
      WHERE model = 'Session' AND user_id = $2 AND payload -> 'authorizations' ? $1 AND ${IS_VALID} LIMIT 1`;
    return (await this.transactions.rows(sql, [clientId, userId])).length > 0;
  }

  /**
   * True for only one of several concurrent callers. SQL: one compare-and-set on JSON.
   * @param mark is stored in the consumed row.
   */
  async consume(model: string, id: string, mark: object = {}): Promise<boolean> {
    return (await this.transactions.rows(CONSUME, [model, id, JSON.stringify(mark)])).length > 0;
  }

  /** Returns whether the row existed, true for only one of several concurrent callers. */
  async delete(model: string, id: string): Promise<boolean> {
    const { affected } = await this.artifacts.delete({ model, id });
    return affected === 1;
  }

  /** Stores the result of an interaction that has none yet. SQL: see `consume`. */
  async answerInteraction(id: string, result: object): Promise<boolean> {
    // The session may have changed. It is compared with the result instead, when the interaction continues.
    const sql = `UPDATE oauth_artifact
      SET payload = (payload #- '{session,uid}') || jsonb_build_object('result', $2::jsonb)
      WHERE model = 'Interaction' AND id = $1 AND expires_at > now() AND NOT payload ? 'result'`;
    return (await this.transactions.affected(sql, [id, JSON.stringify(result)])) > 0;
  }

  /** Deletes the grant with all its tokens. Returns whether there were any. */
  async deleteGrant(grantId: string): Promise<boolean> {
    const { affected } = await this.artifacts
      .createQueryBuilder()
      .delete()
      .where([{ grantId }, { model: 'Grant', id: sha256(grantId) }])
      .execute();
    return (affected ?? 0) > 0;
  }

  /** Deletes the tokens of the grant but keeps the grant. Returns whether there were any. */
  async deleteGivenBy(grantId: string): Promise<boolean> {
    const { affected } = await this.artifacts.delete({
      grantId,
      model: In(['AccessToken', 'RefreshToken', 'AuthorizationCode']),
    });
    return (affected ?? 0) > 0;
  }

  async deleteOfClients(clientIds: readonly string[]): Promise<void> {
    if (clientIds.length === 0) return;
    await this.artifacts.delete({ clientId: Any(clientIds) });
  }

  /** Deletes pending requests and unused codes. */
  async deleteUnderWay(clientId: string): Promise<void> {
    await this.artifacts.delete({
      clientId,
      model: In(['Interaction', 'AuthorizationCode']),
      consumedAt: IsNull(),
    });
  }

  /**
   * SQL: also matches rows without a session.
   * @param keep a session whose grant and tokens are kept.
   */
  async deleteOfConsent(userId: string, clientId: string, keep: string | null = null): Promise<void> {
    await this.run(
      `DELETE FROM oauth_artifact
       WHERE user_id = $1 AND client_id = $2 AND ($3::uuid IS NULL OR session_id IS DISTINCT FROM $3)`,
      [userId, clientId, keep],
    );
  }

  /** Deletes everything of the sessions, and returns the library sessions. */
  async deleteOfSessions(userId: string, ids: readonly string[]): Promise<AdapterPayload[]> {
    return this.deleteReturning(DELETE_OF_SESSIONS, [userId, ids]);
  }

  /** Deletes everything of the user except for one session, and returns the library sessions. */
  async deleteOfUser(userId: string, keep: string | null): Promise<AdapterPayload[]> {
    return this.deleteReturning(DELETE_OF_USER, [userId, keep]);
  }

  /** Deletes everything of the users, and returns the library sessions. */
  async deleteOfUsers(userIds: readonly string[]): Promise<AdapterPayload[]> {
    return this.deleteReturning(DELETE_OF_USERS, [userIds]);
  }

  /** Up to `limit` ended sessions in which something was still written. SQL: a join of two features. */
  findOfEnded(limit: number): Promise<{ userId: string; sessionId: string }[]> {
    return this.transactions.rows(
      `SELECT DISTINCT session.user_id AS "userId", session.id AS "sessionId"
       FROM session JOIN oauth_artifact AS artifact ON artifact.session_id = session.id AND artifact.user_id = session.user_id
       WHERE session.revoked_at IS NOT NULL LIMIT $1`,
      [limit],
    );
  }

  /** Binds the grant to the session, with which it ends. */
  async bindGrant(id: string, sessionId: string): Promise<void> {
    await this.artifacts.update({ model: 'Grant', id }, { sessionId });
  }

  /**
   * Extends up to `limit` library sessions that are about to expire to the expiry of their sessions, and returns their
   * number. SQL: a batch over a join that skips locked rows.
   */
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

  /** Deletes up to `limit` expired rows and returns their number. SQL: skips locked rows. */
  async deleteExpired(limit: number): Promise<number> {
    const rows = await this.transactions.rows(
      `DELETE FROM oauth_artifact WHERE (model, id) IN (
         SELECT model, id FROM oauth_artifact WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [limit],
    );
    return rows.length;
  }

  /** Returns the library sessions among the deleted rows. */
  private async deleteReturning(sql: string, parameters: unknown[]): Promise<AdapterPayload[]> {
    const rows = await this.transactions.rows<{ model: string; payload: AdapterPayload }>(sql, parameters);
    return rows.filter(({ model }) => model === 'Session').map(({ payload }) => payload);
  }

  private async run(sql: string, parameters: unknown[]): Promise<void> {
    await this.transactions.manager.query(sql, parameters);
  }
}

function row({ model, id, payload, grantId, clientId, userId, sessionId }: NewOidcModel, seconds: number): unknown[] {
  return [model, id, JSON.stringify(payload), grantId, clientId, userId, sessionId, seconds];
}
