import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { AdapterPayload } from 'oidc-provider';
import { Any, In, IsNull, Repository } from 'typeorm';
import { sha256 } from '../../../platform/crypto';
import { CASTELLAN, prepared, Transactions } from '../../../platform/database';
import { OidcModel } from './oidc-model.entity';

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

export interface StoredOidcModel {
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

/** Grants of a user who may not log in, or of an ended session, are invalid, even where their rows were left behind. */
const STANDS = `expires_at > now()
  AND (user_id IS NULL OR EXISTS (SELECT 1 FROM user_account WHERE id = artifact.user_id AND status = 'active'))
  AND NOT EXISTS (SELECT 1 FROM session WHERE id = artifact.session_id AND revoked_at IS NOT NULL)`;

const ROW = `(model, id, payload, grant_id, client_id, user_id, session_id, expires_at)
  VALUES ($1, $2, $3::jsonb, $4, $5, $6, $7, now() + make_interval(secs => $8::int))`;

/** A login state is used by parallel requests for different clients; none of them may forget what another added. */
const MERGED = `jsonb_set(excluded.payload, '{authorizations}',
  coalesce(oauth_artifact.payload -> 'authorizations', '{}') || coalesce(excluded.payload -> 'authorizations', '{}'))`;

/** At each logout: prepared, and one statement deletes the rows and returns what applications are notified by. */
const deletion = (condition: string): string =>
  prepared(`DELETE FROM oauth_artifact WHERE ${condition} RETURNING model, payload`);
const DELETE_OF_SESSIONS = deletion('user_id = $1 AND session_id = ANY($2::uuid[])');
const DELETE_OF_USER = deletion('user_id = $1 AND session_id IS DISTINCT FROM $2::uuid');

@Injectable()
export class OidcModelRepository {
  constructor(
    @InjectRepository(OidcModel, CASTELLAN) private readonly artifacts: Repository<OidcModel>,
    private readonly transactions: Transactions,
  ) {}

  /** SQL, here and in the next two: ON CONFLICT decides between parallel writes. */
  async save(artifact: NewOidcModel, seconds: number): Promise<void> {
    await this.run(
      `INSERT INTO oauth_artifact ${ROW}
       ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, user_id = excluded.user_id,
         session_id = excluded.session_id, expires_at = excluded.expires_at`,
      row(artifact, seconds),
    );
  }

  async saveLoginState(artifact: NewOidcModel, seconds: number): Promise<void> {
    await this.run(
      `INSERT INTO oauth_artifact ${ROW}
       ON CONFLICT (model, id) DO UPDATE SET payload = ${MERGED}, expires_at = excluded.expires_at`,
      row(artifact, seconds),
    );
  }

  /** Answers whether it was not there yet; one that is stays as it is. */
  async saveOnce(artifact: NewOidcModel, seconds: number): Promise<boolean> {
    const sql = `INSERT INTO oauth_artifact ${ROW} ON CONFLICT (model, id) DO NOTHING RETURNING id`;
    return (await this.transactions.rows(sql, row(artifact, seconds))).length > 0;
  }

  /** SQL: every use of a code or token asks it, with conditions on other features' tables and ages in seconds. */
  async find(model: string, id: string): Promise<StoredOidcModel | undefined> {
    const sql = `SELECT ${COLUMNS} FROM oauth_artifact AS artifact WHERE model = $1 AND id = $2 AND ${STANDS}`;
    return (await this.transactions.rows<StoredOidcModel>(sql, [model, id]))[0];
  }

  /** Whether a grant of the user to the client is valid. SQL: the conditions of `find`. */
  async hasGrant(clientId: string, userId: string): Promise<boolean> {
    const sql = `SELECT 1 FROM oauth_artifact AS artifact
      WHERE model = 'Grant' AND user_id = $2 AND client_id = $1 AND ${STANDS} LIMIT 1`;
    return (await this.transactions.rows(sql, [clientId, userId])).length > 0;
  }

  /** SQL: one compare-and-set on JSON, so that of parallel callers one is answered true. @param mark stays with what was consumed. */
  async consume(model: string, id: string, mark: object = {}): Promise<boolean> {
    const sql = `UPDATE oauth_artifact SET consumed_at = now(), payload = payload || $3::jsonb,
        expires_at = greatest(expires_at, now() + ${KEPT_AFTER_USE})
      WHERE model = $1 AND id = $2 AND consumed_at IS NULL AND expires_at > now() RETURNING id`;
    return (await this.transactions.rows(sql, [model, id, JSON.stringify(mark)])).length > 0;
  }

  /** Answers whether it was there: of parallel callers one is answered true. */
  async delete(model: string, id: string): Promise<boolean> {
    const { affected } = await this.artifacts.delete({ model, id });
    return affected === 1;
  }

  /** Keeps the result of an interaction that has none yet. SQL: as `consume`. */
  async answerInteraction(id: string, result: object): Promise<boolean> {
    // The session may be another by now; the one that goes on is compared with the result instead.
    const sql = `UPDATE oauth_artifact
      SET payload = (payload #- '{session,uid}') || jsonb_build_object('result', $2::jsonb)
      WHERE model = 'Interaction' AND id = $1 AND expires_at > now() AND NOT payload ? 'result'`;
    return (await this.transactions.affected(sql, [id, JSON.stringify(result)])) > 0;
  }

  /** With all that was given by it; answers whether there was anything. */
  async deleteGrant(grantId: string): Promise<boolean> {
    const { affected } = await this.artifacts
      .createQueryBuilder()
      .delete()
      .where([{ grantId }, { model: 'Grant', id: sha256(grantId) }])
      .execute();
    return (affected ?? 0) > 0;
  }

  /** All that was given by the grant, which itself stays; answers whether there was anything. */
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

  /** Requests without a response, and unused codes. */
  async deleteUnderWay(clientId: string): Promise<void> {
    await this.artifacts.delete({
      clientId,
      model: In(['Interaction', 'AuthorizationCode']),
      consumedAt: IsNull(),
    });
  }

  /** SQL: rows without a session are compared, too. @param keep a session whose grant and tokens stay. */
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

  /** Up to `limit` sessions that were ended while something was still being written in them. SQL: a join of two features. */
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
    await this.artifacts.update({ model: 'Grant', id }, { sessionId });
  }

  /**
   * Lets up to `limit` login states that are about to end go on for as long as their sessions do, and answers how many. SQL:
   * a batch over a join that skips locked rows.
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

  /** Deletes up to `limit` of those past their time, and answers how many. SQL: a batch that skips locked rows. */
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

function row({ model, id, payload, grantId, clientId, userId, sessionId }: NewOidcModel, seconds: number): unknown[] {
  return [model, id, JSON.stringify(payload), grantId, clientId, userId, sessionId, seconds];
}
