import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, Not, Repository } from 'typeorm';
import { BatchedLookup, CASTELLAN, readById, Transactions } from '../../../platform/database';
import { CountEstimateRepository, Page, Total } from '../../../platform/lists';
import { SetUpPlace, UserNames } from '../../../rbac';
import { WHOLE_FILTER } from './client-claims';
import { OAuthClient, suspensionOf } from './client.entity';

export type NewClient = Omit<
  OAuthClient,
  | 'isSuspended'
  | 'previousSecretHash'
  | 'previousSecretUntil'
  | 'tokensEndedAt'
  | 'lastUsedAt'
  | 'createdAt'
  | 'updatedAt'
>;
export type ClientChange = Partial<Omit<NewClient, 'id' | 'clientId' | 'isPublic' | 'secretHash'>>;

/** Other values are not looked up: callers can send any text, and PostgreSQL does not accept every text. */
const CLIENT_ID = /^[\w-]{1,64}$/;
/** Prepared and batched, because it is read for each token of a machine. */
const ISSUED_TO = readById(
  (id) =>
    `SELECT enabled AND NOT ${suspensionOf('oauth_client')} AS enabled, grant_types AS "grantTypes", scopes, tokens_ended_at AS "tokensEndedAt",
       organization_id AS "organizationId", organization_set_by AS "organizationSetBy"
     FROM oauth_client WHERE client_id = ${id}`,
  'text',
);
const LISTED = '($1::uuid IS NULL OR owner_id = $1) AND ($2::uuid IS NULL OR organization_id = $2)';

const now = (): string => 'now()';
/** Not by the service, unless it was before: an instance of the former version enables a client without clearing the mark. */
const DISABLED = {
  enabled: false,
  disabledByService: (): string => 'disabled_by_service AND NOT enabled',
  tokensEndedAt: now,
  updatedAt: now,
};

/** Which clients a list has. null: of all. */
export interface ClientFilter {
  readonly ownerId: string | null;
  readonly organizationId: string | null;
}

/** What decides about a token of the client itself. A suspended client is not enabled. */
export type TokenRules = Pick<
  OAuthClient,
  'enabled' | 'grantTypes' | 'scopes' | 'tokensEndedAt' | 'organizationId' | 'organizationSetBy'
>;

@Injectable()
export class ClientRepository {
  private readonly issuedTo: BatchedLookup<TokenRules>;

  constructor(
    @InjectRepository(OAuthClient, CASTELLAN) private readonly clients: Repository<OAuthClient>,
    private readonly transactions: Transactions,
    private readonly totals: CountEstimateRepository,
  ) {
    this.issuedTo = new BatchedLookup(transactions, ISSUED_TO);
  }

  findById(id: string): Promise<OAuthClient | null> {
    return this.clients.findOneBy({ id });
  }

  /** The client as the caller's transaction has just written it. */
  async reload(id: string): Promise<OAuthClient> {
    const client = await this.findById(id);
    if (!client) throw new Error(`Client ${id} is missing in the transaction that wrote it`);
    return client;
  }

  async findByClientId(clientId: string): Promise<OAuthClient | null> {
    return CLIENT_ID.test(clientId) ? this.clients.findOneBy({ clientId }) : null;
  }

  async tokenRulesOf(clientId: string): Promise<TokenRules | undefined> {
    if (!CLIENT_ID.test(clientId)) return undefined;
    const [rules] = await this.issuedTo.rows(clientId);
    return rules;
  }

  /** Locks the row until the transaction ends. */
  lock(id: string): Promise<OAuthClient | null> {
    return this.clients
      .createQueryBuilder('client')
      .setLock('pessimistic_write')
      .where('client.id = :id', { id })
      .getOne();
  }

  /** Newest first. */
  list({ ownerId, organizationId }: ClientFilter, { limit, offset }: Page): Promise<OAuthClient[]> {
    const query = this.clients.createQueryBuilder('client');
    if (ownerId !== null) query.andWhere('client.ownerId = :ownerId', { ownerId });
    if (organizationId !== null) query.andWhere('client.organizationId = :organizationId', { organizationId });
    return query.orderBy('client.id', 'DESC').limit(limit).offset(offset).getMany();
  }

  /** SQL: `CountEstimateRepository` counts a statement. */
  count({ ownerId, organizationId }: ClientFilter): Promise<Total> {
    return this.totals.count(`SELECT 1 FROM oauth_client WHERE ${LISTED}`, [ownerId, organizationId]);
  }

  /** The names of enabled clients that can log users in without PKCE. */
  async namesWithoutPkce(limit: number): Promise<string[]> {
    const found = await this.clients.find({
      select: { name: true },
      where: { requirePkce: false, enabled: true },
      order: { id: 'ASC' },
      take: limit,
    });
    return found.map(({ name }) => name);
  }

  /** Whether an enabled client has a redirect URI of the origin. SQL: a JSON operator that uses the index. */
  async isOrigin(origin: string): Promise<boolean> {
    const rows = await this.transactions.manager.query<unknown[]>(
      `SELECT 1 FROM oauth_client WHERE origins @> jsonb_build_array($1::text) AND enabled LIMIT 1`,
      [origin],
    );
    return rows.length > 0;
  }

  /**
   * Whether an enabled public client has a redirect URI at the loopback address, with any port (RFC 8252 §7.3). SQL: no
   * index finds a part of a text in a list.
   */
  async isLoopbackOrigin(origin: string): Promise<boolean> {
    const rows = await this.transactions.manager.query<unknown[]>(
      `SELECT 1 FROM oauth_client
       WHERE enabled AND is_public AND jsonb_path_exists(origins, '$[*] ? (@ starts with $origin)', $1) LIMIT 1`,
      [JSON.stringify({ origin })],
    );
    return rows.length > 0;
  }

  async insert(client: NewClient): Promise<void> {
    await this.clients.insert(client);
  }

  async update(id: string, change: ClientChange): Promise<void> {
    await this.clients.update({ id }, { ...change, updatedAt: () => 'now()' });
  }

  /** Invalidates the JWT access tokens issued so far, which cannot be deleted. */
  async endTokens(id: string): Promise<void> {
    await this.clients.update({ id }, { tokensEndedAt: () => 'now()' });
  }

  /** The previous secret stays valid for the overlap. SQL: the new values come from the old ones. */
  async replaceSecret(id: string, hash: string, overlapSeconds: number): Promise<void> {
    await this.transactions.manager.query(
      `UPDATE oauth_client SET former_secret_hash = CASE WHEN $3::int > 0 THEN secret_hash END,
         former_secret_until = CASE WHEN $3::int > 0 THEN now() + make_interval(secs => $3::int) END,
         secret_hash = $2, updated_at = now()
       WHERE id = $1`,
      [id, hash, overlapSeconds],
    );
  }

  /**
   * Updates `last_used_at` at most once a minute, and leaves `updated_at` unchanged. SQL: called for every token,
   * writes rarely.
   */
  async touch(clientId: string): Promise<void> {
    await this.transactions.manager.query(
      `UPDATE oauth_client SET last_used_at = now()
       WHERE client_id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
      [clientId],
    );
  }

  async delete(id: string): Promise<void> {
    await this.clients.delete({ id });
  }

  /** What the clients of the owners may request, enabled or not. Raw SQL, because it unnests JSON. */
  async requestableByOwners(ownerIds: readonly string[]): Promise<{ scopes: string[]; resources: string[] }> {
    const rows = await this.transactions.rows<{ name: string; isScope: boolean }>(
      `SELECT jsonb_array_elements_text(scopes) AS name, true AS "isScope"
       FROM oauth_client WHERE owner_id = ANY($1::uuid[])
       UNION
       SELECT jsonb_array_elements_text(introspection_resources), false
       FROM oauth_client WHERE owner_id = ANY($1::uuid[])`,
      [ownerIds],
    );
    const names = (isScope: boolean): string[] => rows.filter((row) => row.isScope === isScope).map(({ name }) => name);
    return { scopes: names(true), resources: names(false) };
  }

  /** The organizations that clients of the owners are tied to, each once. */
  async organizationsOfOwners(ownerIds: readonly string[]): Promise<string[]> {
    const tied = await this.clients.find({
      select: { organizationId: true },
      where: { ownerId: Any(ownerIds), organizationId: Not(IsNull()) },
    });
    return [...new Set(tied.flatMap(({ organizationId }) => organizationId ?? []))];
  }

  /** Whether a client is tied to the organization, enabled or not. */
  isTiedTo(organizationId: string): Promise<boolean> {
    return this.clients.existsBy({ organizationId });
  }

  /**
   * The owners of the clients, enabled or not, that admit or describe a user by one of the names. null: of those without an
   * owner or of an organization. Raw SQL for JSON.
   */
  async ownersOfTrusting(named: UserNames): Promise<(string | null)[]> {
    const { userId, roles, groups, isNamedInOrganization } = named;
    const ids = (of: UserNames['roles']): string[] => of.map(({ id }) => id);
    const names = (of: UserNames['roles']): string[] => of.map(({ name }) => name);
    const rows = await this.transactions.rows<{ owner: string | null }>(
      `SELECT DISTINCT CASE WHEN organization_id IS NULL THEN owner_id END AS owner FROM oauth_client WHERE (access ->> 'mode' = 'restricted' AND (
           access -> 'userIds' ? $1 OR access -> 'roleIds' ?| $2::text[] OR access -> 'groupIds' ?| $3::text[]))
         OR ($6 AND scopes ? 'organization')
         OR EXISTS (SELECT 1 FROM jsonb_to_recordset(claims) AS claim ("from" text, filter text),
           unnest(CASE claim."from" WHEN 'roles' THEN $4::text[] WHEN 'groups' THEN $5::text[] END) AS held (name)
           WHERE coalesce(claim.filter, '${WHOLE_FILTER}') = '${WHOLE_FILTER}' OR starts_with(held.name, claim.filter))`,
      [userId, ids(roles), ids(groups), names(roles), names(groups), isNamedInOrganization],
    );
    return rows.map(({ owner }) => owner);
  }

  /** Whether a claim of a client, enabled or not, is from the attribute. Raw SQL for JSON. */
  async readAttribute(name: string): Promise<boolean> {
    const claim = JSON.stringify([{ from: 'attribute', value: name }]);
    const rows = await this.transactions.rows('SELECT 1 FROM oauth_client WHERE claims @> $1::jsonb LIMIT 1', [claim]);
    return rows.length > 0;
  }

  /**
   * Enabled clients of organizations that the users have tied or own. Of a named organization, also the disabled ones that
   * they own.
   */
  findTiedBy(place: SetUpPlace, { lock = false } = {}): Promise<OAuthClient[]> {
    const { userIds, organizationId = null } = place;
    const query = this.clients
      .createQueryBuilder('client')
      .where('client.organizationId IS NOT NULL')
      .andWhere('(:organizationId::uuid IS NULL OR client.organizationId = :organizationId)', { organizationId })
      .andWhere(
        `(client.ownerId = ANY(:userIds) AND (client.enabled OR :organizationId::uuid IS NOT NULL)
          OR client.organizationSetBy = ANY(:userIds) AND client.enabled)`,
        { userIds },
      );
    if (lock) query.setLock('pessimistic_write');
    return query.orderBy('client.id').getMany();
  }

  async disable(id: string, ownerId: string | null): Promise<void> {
    await this.clients.update({ id }, { ...DISABLED, ownerId });
  }

  /** Disables the clients of an account that is being deleted, and removes their owner. */
  async disableOwnedBy(ownerId: string): Promise<OAuthClient[]> {
    const owned = await this.clients.findBy({ ownerId });
    if (owned.length === 0) return [];
    await this.clients.update({ ownerId }, { ...DISABLED, ownerId: null });
    return owned;
  }
}
