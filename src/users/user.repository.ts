import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, FindOptionsWhere, IsNull, Not, Repository } from 'typeorm';
import { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import {
  CASTELLAN,
  preparedStatement,
  readById,
  BatchedLookup,
  Transactions,
  violatedUnique,
} from '../platform/database';
import { ErrorFactory } from '../platform/errors';
import { AttributeKeyRepository } from './attributes';
import { User, UserStatus } from './user.entity';
import { usersErrors } from './users.errors';

/** Set by the database or by acts of their own. */
type OwnActs =
  | 'passwordVersion'
  | 'searchSegment'
  | 'createdAt'
  | 'updatedAt'
  | 'lastLoginAt'
  | 'termsAcceptedAt'
  | 'deletionDueAt'
  | 'deletionRemindedAt'
  | 'formerUsername'
  | 'formerUsernameKey';
export type NewUser = Omit<User, OwnActs>;
export type UserChange = Partial<Omit<NewUser, 'id'>> & {
  /** Only imports set one. */
  readonly formerUsername?: null;
};

export interface StoredPassword {
  /** PHC string. */
  readonly hash: string;
  readonly version: number;
}

export type ContactField = 'email' | 'phone';

/** A user who had a contact without having verified it, and the contact as it was typed. */
export interface ContactClaimant {
  readonly id: string;
  readonly username: string;
  readonly contact: string;
}

/** What any logged-in user may see of another user. */
export type PublicUser = Pick<User, 'id' | 'username' | 'nickname' | 'avatar'>;

const takenBy: Record<string, ErrorFactory> = {
  user_account_username_unique: usersErrors.usernameTaken,
  user_account_email_unique: usersErrors.emailTaken,
  user_account_phone_unique: usersErrors.phoneTaken,
};

const PUBLIC_COLUMNS = 'id, username, nickname, avatar';
/** Every login and registration reads them, and TypeORM's query builder would cost more than the database. */
const COLUMNS = `id, username, former_username AS "formerUsername", nickname, avatar, email, email_key AS "emailKey", email_verified AS "emailVerified", phone,
  phone_verified AS "phoneVerified", locale, status, password_hash AS "passwordHash", password_version AS "passwordVersion",
  must_change_password AS "mustChangePassword", terms_version AS "termsVersion", terms_accepted_at AS "termsAcceptedAt",
  created_at AS "createdAt", updated_at AS "updatedAt", last_login_at AS "lastLoginAt", deletion_due_at AS "deletionDueAt", attributes`;

const ofColumn = (condition: string): string =>
  preparedStatement(`SELECT ${COLUMNS} FROM user_account WHERE ${condition}`);
/** Each column is unique, so there is at most one row. */
const FIND = {
  locked: ofColumn('id = $1 FOR UPDATE'),
  username: ofColumn('lower(username) = lower($1 COLLATE "C")'),
  formerUsername: ofColumn('former_username_key = $1'),
  email: ofColumn('email_key = $1'),
  provenEmail: ofColumn('email_key = $1 AND email_verified'),
  phone: ofColumn('phone = $1'),
  provenPhone: ofColumn('phone = $1 AND phone_verified'),
};
const FIND_BY_ID = readById((id) => `SELECT ${COLUMNS} FROM user_account WHERE id = ${id}`);
/** Prepared, like INSERT, because every registration runs both. */
const FIND_USERNAME = preparedStatement(
  `SELECT 1 FROM user_account WHERE lower(username) = lower($1 COLLATE "C")
   UNION ALL SELECT 1 FROM user_account WHERE former_username_key = lower($1 COLLATE "C")`,
);
const FIND_FORMER_USERNAME_OF_OTHER = `SELECT 1 FROM user_account WHERE former_username_key = lower($1 COLLATE "C") AND id <> $2`;
const INSERT = preparedStatement(
  `INSERT INTO user_account (id, username, nickname, avatar, email, email_key, email_verified, phone, phone_verified,
     locale, status, password_hash, must_change_password, attributes, terms_version, terms_accepted_at)
   SELECT $1::uuid, $2::varchar, $3::varchar, $4::varchar, $5::varchar, $6::varchar, $7::boolean, $8::varchar, $9::boolean,
     $10::varchar, $11::varchar, $12::text, $13::boolean, $14::jsonb, $15::varchar,
     CASE WHEN $15::varchar IS NOT NULL THEN now() END
   WHERE NOT EXISTS (SELECT 1 FROM user_account WHERE former_username_key = lower($2::varchar COLLATE "C"))
   RETURNING ${COLUMNS}`,
);

const LOCK_MANY = `SELECT ${COLUMNS} FROM user_account WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`;
const SET_STATUS = `UPDATE user_account SET status = $2, updated_at = now() WHERE id = ANY($1::uuid[]) RETURNING ${COLUMNS}`;

/** One statement locks the row, returns the contact as it was and removes it. */
const REMOVE_UNVERIFIED: Readonly<Record<ContactField, string>> = {
  email: `WITH claimant AS (
      SELECT id, email AS contact FROM user_account WHERE email_key = $1 AND NOT email_verified AND id <> $2 FOR UPDATE)
    UPDATE user_account SET email = NULL, email_key = NULL, updated_at = now() FROM claimant
    WHERE user_account.id = claimant.id RETURNING user_account.id, user_account.username, claimant.contact`,
  phone: `WITH claimant AS (
      SELECT id, phone AS contact FROM user_account WHERE phone = $1 AND NOT phone_verified AND id <> $2 FOR UPDATE)
    UPDATE user_account SET phone = NULL, updated_at = now() FROM claimant
    WHERE user_account.id = claimant.id RETURNING user_account.id, user_account.username, claimant.contact`,
};

async function namingConflicts<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const taken = takenBy[violatedUnique(error) ?? ''];
    throw taken ? taken({ cause: error }) : error;
  }
}

/** Escapes LIKE's special characters. */
const literal = (keyword: string): string => keyword.replace(/[\\%_]/g, '\\$&');

/** A LIKE pattern for texts that begin with the keyword. */
export const literalPrefix = (keyword: string): string => `${literal(keyword)}%`;

/** A LIKE pattern for texts that contain the keyword. */
export const literalPart = (keyword: string): string => `%${literal(keyword)}%`;

@Injectable()
export class UserRepository {
  private readonly byId: BatchedLookup<User>;

  constructor(
    @InjectRepository(User, CASTELLAN) private readonly users: Repository<User>,
    private readonly transactions: Transactions,
    private readonly attributeKeys: AttributeKeyRepository,
  ) {
    this.byId = new BatchedLookup(transactions, FIND_BY_ID);
  }

  async findById(id: string): Promise<User | null> {
    return (await this.byId.rows(id))[0] ?? null;
  }

  /** Ignores case. */
  findByUsername(username: string): Promise<User | null> {
    return this.findOne(FIND.username, username);
  }

  /** Takes the key by `formerUsernameKey`. */
  findByFormerUsername(key: string): Promise<User | null> {
    return this.findOne(FIND.formerUsername, key);
  }

  /** Takes the normalized e-mail. `verified` excludes users who have not verified it. */
  findByEmail(emailKey: string, { verified }: { verified: boolean }): Promise<User | null> {
    return this.findOne(verified ? FIND.provenEmail : FIND.email, emailKey);
  }

  /** Takes the phone in E.164. `verified` excludes users who have not verified it. */
  findByPhone(phone: string, { verified }: { verified: boolean }): Promise<User | null> {
    return this.findOne(verified ? FIND.provenPhone : FIND.phone, phone);
  }

  /** Former names of users count, too. */
  async isUsernameTaken(username: string): Promise<boolean> {
    return (await this.transactions.rows(FIND_USERNAME, [username])).length > 0;
  }

  /** Throws `username_taken`, `email_taken`, `phone_taken` or `attribute_taken`. */
  async insert(user: NewUser): Promise<User> {
    const rows = this.transactions.rows<User>(INSERT, [
      user.id,
      user.username,
      user.nickname,
      user.avatar,
      user.email,
      user.emailKey,
      user.emailVerified,
      user.phone,
      user.phoneVerified,
      user.locale,
      user.status,
      user.passwordHash,
      user.mustChangePassword,
      JSON.stringify(user.attributes),
      user.termsVersion,
    ]);
    const [inserted] = await namingConflicts(rows);
    if (!inserted) throw usersErrors.usernameTaken();
    if (Object.keys(user.attributes).length > 0) await this.attributeKeys.replace(user.id, user.attributes);
    return inserted;
  }

  /** Throws like `insert`. Returns null when the user does not exist. */
  async update(id: string, change: UserChange): Promise<User | null> {
    if (change.username !== undefined) await this.requireNoFormerUsername(change.username, id);
    const values = {
      ...change,
      ...(change.formerUsername === null && { formerUsernameKey: null }),
      ...(change.passwordHash !== undefined && { passwordVersion: () => 'password_version + 1' }),
      ...(change.termsVersion !== undefined && { termsAcceptedAt: () => 'now()' }),
      updatedAt: () => 'now()',
    } as QueryDeepPartialEntity<User>;
    await namingConflicts(this.users.update({ id }, values));
    if (change.attributes) await this.attributeKeys.replace(id, change.attributes);
    return this.findById(id);
  }

  /**
   * Returns undefined when the user or the password does not exist. Raw SQL, because every password check reads these
   * two columns.
   */
  async findPassword(id: string): Promise<StoredPassword | undefined> {
    const rows = await this.transactions.rows<StoredPassword>(
      `SELECT password_hash AS hash, password_version AS version FROM user_account
       WHERE id = $1 AND password_hash IS NOT NULL`,
      [id],
    );
    return rows[0];
  }

  /** Stores a rehash of the same password, unless the password has changed. */
  async replacePasswordHash(id: string, from: string, to: string): Promise<void> {
    await this.users.update({ id, passwordHash: from }, { passwordHash: to });
  }

  findMany(ids: readonly string[]): Promise<User[]> {
    return this.users.findBy({ id: Any(ids) });
  }

  /** Returns the users who have a password. */
  withPassword(ids: readonly string[]): Promise<string[]> {
    return this.idsOf({ id: Any(ids), passwordHash: Not(IsNull()) });
  }

  /** Returns the users who have a verified e-mail or phone. */
  withProven(contact: 'email' | 'phone', ids: readonly string[]): Promise<string[]> {
    const proven = contact === 'email' ? { emailVerified: true } : { phoneVerified: true };
    return this.idsOf({ id: Any(ids), ...proven });
  }

  /**
   * Removes the contact (normalized e-mail or E.164) from the other user who has it unverified. Returns that user;
   * there is at most one, because contacts are unique.
   */
  async removeUnverifiedContact(
    field: ContactField,
    value: string,
    ownerId: string,
  ): Promise<ContactClaimant | undefined> {
    return (await this.transactions.rows<ContactClaimant>(REMOVE_UNVERIFIED[field], [value, ownerId]))[0];
  }

  async delete(id: string): Promise<boolean> {
    const { affected } = await this.users.delete({ id });
    return affected === 1;
  }

  /** Locks the row until the transaction ends, to serialize changes of one account. */
  lock(id: string): Promise<User | null> {
    return this.findOne(FIND.locked, id);
  }

  /**
   * Same as `lock`, for many users, without unknown ids. Raw SQL to lock in the order of ids, so that two calls cannot
   * deadlock.
   */
  lockMany(ids: readonly string[]): Promise<User[]> {
    return this.transactions.rows<User>(LOCK_MANY, [ids]);
  }

  /** Sets the status of the users and returns them. Raw SQL for RETURNING with the aliases of the other statements. */
  setStatus(ids: readonly string[], status: UserStatus): Promise<User[]> {
    return this.transactions.rows<User>(SET_STATUS, [ids, status]);
  }

  /** In no particular order, without unknown ids. */
  findPublic(ids: readonly string[]): Promise<PublicUser[]> {
    return this.users.find({
      select: { id: true, username: true, nickname: true, avatar: true },
      where: { id: Any(ids) },
    });
  }

  /**
   * Active users whose username or nickname starts with the keyword, ignoring case, sorted by username. Raw SQL for one
   * branch per index.
   */
  searchPublic(keyword: string, limit: number): Promise<PublicUser[]> {
    // Both sides use the database's lower(), because its case rules follow its locale, not JavaScript's.
    const branch = (condition: string): string =>
      `(SELECT ${PUBLIC_COLUMNS} FROM user_account WHERE ${condition} AND status = 'active'
        ORDER BY lower(username) LIMIT $2)`;
    const byUsername = branch('lower(username) LIKE lower($1 COLLATE "C")');
    const byNickname = branch(`lower(nickname) LIKE lower($1) AND nickname <> ''`);
    return this.transactions.manager.query(
      `SELECT ${PUBLIC_COLUMNS} FROM (${byUsername} UNION ${byNickname}) AS found ORDER BY lower(username) LIMIT $2`,
      [literalPrefix(keyword), limit],
    );
  }

  private async requireNoFormerUsername(username: string, id: string): Promise<void> {
    const others = await this.transactions.rows(FIND_FORMER_USERNAME_OF_OTHER, [username, id]);
    if (others.length > 0) throw usersErrors.usernameTaken();
  }

  private async idsOf(where: FindOptionsWhere<User>): Promise<string[]> {
    const users = await this.users.find({ select: { id: true }, where });
    return users.map(({ id }) => id);
  }

  private async findOne(sql: string, value: string): Promise<User | null> {
    return (await this.transactions.rows<User>(sql, [value]))[0] ?? null;
  }
}
