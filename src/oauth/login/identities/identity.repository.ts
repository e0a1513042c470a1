import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { CASTELLAN, Transactions, violatedUnique } from '../../../platform/database';
import { oauthErrors } from '../third-party-login.errors';
import { SubjectName } from '../providers';
import { Identity } from './identity.entity';

/** The subjects of one user at a provider, in order of precedence. */
export interface SubjectKey {
  readonly providerId: string;
  readonly issuer: string;
  readonly subjects: readonly SubjectName[];
}

/** An identity by the name of its provider, for imports. */
export interface NamedIdentity {
  readonly provider: string;
  readonly issuer: string;
  readonly subjects: readonly SubjectName[];
}

export interface NewNamedIdentity extends NamedIdentity {
  readonly id: string;
  readonly userId: string;
  readonly subjectHint: string;
}

const claimsOf = ({ subjects }: SubjectKey): string[] => subjects.map(({ claim }) => claim);
const valuesOf = ({ subjects }: SubjectKey): string[] => subjects.map(({ value }) => value);

export type NewIdentity = Omit<Identity, 'linkedAt' | 'lastUsedAt' | 'reviewedAt'>;
export type IdentitySighting = Pick<Identity, 'providerName' | 'providerLabel' | 'subjectHint'>;

const COLUMNS = `identity.id, identity.user_id AS "userId", identity.provider_id AS "providerId",
  identity.provider_name AS "providerName", identity.provider_label AS "providerLabel",
  identity.subject_hint AS "subjectHint", identity.linked_at AS "linkedAt", identity.last_used_at AS "lastUsedAt",
  identity.reviewed_at AS "reviewedAt"`;

@Injectable()
export class IdentityRepository {
  constructor(
    @InjectRepository(Identity, CASTELLAN) private readonly identities: Repository<Identity>,
    private readonly transactions: Transactions,
  ) {}

  /** Finds the identity by its first matching subject. SQL: one query for all subjects, because each login runs it. */
  async find(key: SubjectKey): Promise<Identity | undefined> {
    const rows = await this.transactions.manager.query<Identity[]>(
      `SELECT ${COLUMNS} FROM user_identity identity
       JOIN user_identity_subject known ON known.identity_id = identity.id
       JOIN unnest($3::text[], $4::text[]) WITH ORDINALITY AS names (claim, subject, place)
         ON known.claim = names.claim AND known.subject = names.subject
       WHERE known.provider_id = $1 AND known.issuer = $2 ORDER BY names.place LIMIT 1`,
      [key.providerId, key.issuer, claimsOf(key), valuesOf(key)],
    );
    return rows[0];
  }

  /** SQL: inserts all subjects at once. Errors: `identity_taken` if a subject is already linked. */
  async insert(identity: NewIdentity, key: SubjectKey): Promise<void> {
    await this.identities.insert(identity);
    try {
      await this.transactions.manager.query(
        `INSERT INTO user_identity_subject (provider_id, issuer, claim, subject, identity_id)
         SELECT $1, $2, claim, subject, $5 FROM unnest($3::text[], $4::text[]) AS names (claim, subject)`,
        [identity.providerId, key.issuer, claimsOf(key), valuesOf(key), identity.id],
      );
    } catch (error) {
      if (violatedUnique(error) !== 'user_identity_subject_pk') throw error;
      throw oauthErrors.identityTaken({ cause: error });
    }
  }

  /**
   * Returns the existing names and locks their providers until the transaction ends. SQL: locks rows of another
   * feature's table in a fixed order, so that imports do not deadlock.
   */
  async holdProviders(names: readonly string[]): Promise<string[]> {
    const rows = await this.transactions.manager.query<{ name: string }[]>(
      'SELECT name FROM oauth_provider WHERE name = ANY($1::text[]) ORDER BY id FOR SHARE',
      [names],
    );
    return rows.map(({ name }) => name);
  }

  /** The linked identities among those given, with their users. SQL: a join with a batch. */
  async findNamed(asked: readonly NamedIdentity[]): Promise<{ identity: NamedIdentity; userId: string }[]> {
    const rows = await this.transactions.manager.query<NamedRow[]>(
      `SELECT asked.provider, asked.issuer, asked.claim, asked.subject, identity.user_id AS "userId"
       FROM jsonb_to_recordset($1::jsonb) AS asked (provider text, issuer text, claim text, subject text)
       JOIN oauth_provider AS provider ON provider.name = asked.provider
       JOIN user_identity_subject AS known ON known.provider_id = provider.id AND known.issuer = asked.issuer
         AND known.claim = asked.claim AND known.subject = asked.subject
       JOIN user_identity AS identity ON identity.id = known.identity_id`,
      [JSON.stringify(asked.flatMap(namesOf))],
    );
    return rows.map(({ provider, issuer, claim, subject, userId }) => ({
      identity: { provider, issuer, subjects: [{ claim, value: subject }] },
      userId,
    }));
  }

  /** SQL: a batch of any length as one parameter. */
  async insertNamed(identities: readonly NewNamedIdentity[]): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO user_identity (id, user_id, provider_id, provider_name, provider_label, subject_hint)
       SELECT made.id, made."userId", provider.id, provider.name, provider.label, made."subjectHint"
       FROM jsonb_to_recordset($1::jsonb) AS made (id uuid, "userId" uuid, provider text, "subjectHint" text)
       JOIN oauth_provider AS provider ON provider.name = made.provider`,
      [JSON.stringify(identities)],
    );
    await this.transactions.manager.query(
      `INSERT INTO user_identity_subject (provider_id, issuer, claim, subject, identity_id)
       SELECT identity.provider_id, names.issuer, names.claim, names.subject, names.id
       FROM jsonb_to_recordset($1::jsonb) AS names (id uuid, issuer text, claim text, subject text)
       JOIN user_identity AS identity ON identity.id = names.id`,
      [JSON.stringify(identities.flatMap((one) => namesOf(one).map((name) => ({ ...name, id: one.id }))))],
    );
  }

  /**
   * Records a use and adds new subjects, except those of another identity. SQL: ON CONFLICT for all subjects at once.
   */
  async touch(id: string, seen: IdentitySighting, key: SubjectKey): Promise<void> {
    const { providerName, providerLabel, subjectHint } = seen;
    await this.identities.update({ id }, { providerName, providerLabel, subjectHint, lastUsedAt: () => 'now()' });
    await this.transactions.manager.query(
      `INSERT INTO user_identity_subject (provider_id, issuer, claim, subject, identity_id)
       SELECT $1, $2, claim, subject, $5 FROM unnest($3::text[], $4::text[]) AS names (claim, subject)
       ON CONFLICT DO NOTHING`,
      [key.providerId, key.issuer, claimsOf(key), valuesOf(key), id],
    );
  }

  /** In order of linking. */
  listOf(userId: string): Promise<Identity[]> {
    return this.identities.find({ where: { userId }, order: { linkedAt: 'ASC', id: 'ASC' }, take: 100 });
  }

  /** Marks the unmarked identities and returns them in order of linking. SQL: one statement does both. */
  review(userId: string): Promise<Identity[]> {
    return this.transactions.manager.query(
      `WITH identity AS (
         UPDATE user_identity SET reviewed_at = now() WHERE user_id = $1 AND reviewed_at IS NULL RETURNING *)
       SELECT ${COLUMNS} FROM identity ORDER BY linked_at, id`,
      [userId],
    );
  }

  async findOwn(id: string, userId: string): Promise<Identity | null> {
    return this.identities.findOneBy({ id, userId });
  }

  async countOf(providerId: string): Promise<number> {
    return this.identities.countBy({ providerId });
  }

  /** Deletes some identities of the provider and returns them. SQL: a DELETE with a limit. */
  deleteSome(providerId: string, limit: number): Promise<Identity[]> {
    return this.transactions.manager.query(
      `WITH identity AS (
         DELETE FROM user_identity WHERE id IN (SELECT id FROM user_identity WHERE provider_id = $1 LIMIT $2) RETURNING *)
       SELECT ${COLUMNS} FROM identity`,
      [providerId, limit],
    );
  }

  async deleteAll(ids: readonly string[]): Promise<void> {
    await this.identities.delete({ id: Any(ids) });
  }

  async delete(id: string): Promise<void> {
    await this.identities.delete({ id });
  }

  /** The given users who are linked through one of the providers. */
  async usersLinkedThrough(providerIds: readonly string[], userIds: readonly string[]): Promise<string[]> {
    const rows = await this.identities
      .createQueryBuilder('identity')
      .select('identity.userId', 'id')
      .distinct()
      .where({ userId: Any(userIds), providerId: Any(providerIds) })
      .getRawMany<{ id: string }>();
    return rows.map(({ id }) => id);
  }
}

interface NamedRow {
  readonly provider: string;
  readonly issuer: string;
  readonly claim: string;
  readonly subject: string;
  readonly userId: string;
}

const namesOf = ({ provider, issuer, subjects }: NamedIdentity): Omit<NamedRow, 'userId'>[] =>
  subjects.map(({ claim, value }) => ({ provider, issuer, claim, subject: value }));
