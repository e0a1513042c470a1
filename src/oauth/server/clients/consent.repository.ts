import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../../platform/database';
import { OAuthConsent } from './consent.entity';

/** A consent with its client. */
export interface ConsentRow {
  readonly clientId: string;
  readonly name: string;
  readonly logo: string;
  readonly scopes: readonly string[];
  readonly grantedAt: Date;
  readonly lastUsedAt: Date;
}

const MAX_CONSENTS = 1_000;

@Injectable()
export class ConsentRepository {
  constructor(
    @InjectRepository(OAuthConsent, CASTELLAN) private readonly consents: Repository<OAuthConsent>,
    private readonly transactions: Transactions,
  ) {}

  async scopesOf(userId: string, clientId: string): Promise<readonly string[]> {
    const row = await this.consents.findOneBy({ userId, clientId });
    return row?.scopes ?? [];
  }

  /** The scopes of the user's consents to clients of the organization. SQL: JSON in the rows of a join. */
  async scopesWithin(userId: string, organizationId: string): Promise<ReadonlySet<string>> {
    const rows = await this.transactions.rows<{ scope: string }>(
      `SELECT DISTINCT granted.scope
       FROM oauth_consent JOIN oauth_client ON oauth_client.id = oauth_consent.client_id,
         jsonb_array_elements_text(oauth_consent.scopes) AS granted (scope)
       WHERE oauth_consent.user_id = $1 AND oauth_client.organization_id = $2`,
      [userId, organizationId],
    );
    return new Set(rows.map(({ scope }) => scope));
  }

  /** Like `scopesOf`, and locks the consent until the transaction ends. */
  async lockScopes(userId: string, clientId: string): Promise<readonly string[]> {
    const row = await this.consents.findOne({ where: { userId, clientId }, lock: { mode: 'pessimistic_write' } });
    return row?.scopes ?? [];
  }

  /** Adds the granted scopes and removes the rejected ones. SQL: ON CONFLICT merges JSON in the row. */
  async add(userId: string, clientId: string, scopes: readonly string[], rejected: readonly string[]): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO oauth_consent (user_id, client_id, scopes) VALUES ($1, $2, $3::jsonb)
       ON CONFLICT (user_id, client_id) DO UPDATE SET granted_at = now(), last_used_at = now(), scopes = (
         SELECT coalesce(jsonb_agg(DISTINCT scope ORDER BY scope), '[]')
         FROM jsonb_array_elements_text(oauth_consent.scopes || excluded.scopes) AS scope
         WHERE scope <> ALL ($4::text[]))`,
      [userId, clientId, JSON.stringify(scopes), rejected],
    );
  }

  /** Removes a scope from all consents of the client. SQL: changes JSON in the rows. */
  async removeScope(clientId: string, scope: string): Promise<void> {
    await this.transactions.manager.query(
      'UPDATE oauth_consent SET scopes = scopes - $2::text WHERE client_id = $1 AND scopes ? $2::text',
      [clientId, scope],
    );
  }

  /** SQL: called for every refresh, writes rarely. */
  async touch(userId: string, clientId: string): Promise<void> {
    await this.transactions.manager.query(
      `UPDATE oauth_consent SET last_used_at = now()
       WHERE user_id = $1 AND client_id = $2 AND last_used_at < now() - interval '1 minute'`,
      [userId, clientId],
    );
  }

  /** Most recently used first. SQL: a join with client columns that the entity does not map. */
  list(userId: string): Promise<ConsentRow[]> {
    return this.transactions.manager.query(
      `SELECT oauth_client.client_id AS "clientId", name, logo, oauth_consent.scopes, granted_at AS "grantedAt",
         oauth_consent.last_used_at AS "lastUsedAt"
       FROM oauth_consent JOIN oauth_client ON oauth_client.id = oauth_consent.client_id
       WHERE user_id = $1 ORDER BY oauth_consent.last_used_at DESC, oauth_client.id LIMIT ${MAX_CONSENTS}`,
      [userId],
    );
  }

  /**
   * Returns the scopes that were granted, if there was a consent. SQL: one statement deletes the row and returns it.
   */
  async delete(userId: string, clientId: string): Promise<readonly string[] | undefined> {
    const [row] = await this.transactions.rows<{ scopes: readonly string[] }>(
      'DELETE FROM oauth_consent WHERE user_id = $1 AND client_id = $2 RETURNING scopes',
      [userId, clientId],
    );
    return row?.scopes;
  }
}
