import { Injectable } from '@nestjs/common';
import { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { Transactions, violatedUnique } from '../platform/database';
import { ErrorFactory } from '../platform/errors';
import { User } from './user.entity';
import { usersErrors } from './users.errors';

export type NewUser = Omit<User, 'passwordVersion' | 'searchSegment' | 'createdAt' | 'updatedAt' | 'lastLoginAt'>;
export type UserChange = Partial<Omit<NewUser, 'id'>>;

export interface StoredPassword {
  /** PHC string. */
  readonly hash: string;
  readonly version: number;
}

/** What anybody who is logged in may see of another. */
export type PublicUser = Pick<User, 'id' | 'username' | 'nickname' | 'avatar'>;

const takenBy: Record<string, ErrorFactory> = {
  user_account_username_unique: usersErrors.usernameTaken,
  user_account_email_unique: usersErrors.emailTaken,
  user_account_phone_unique: usersErrors.phoneTaken,
};

/** The nil UUID (RFC 9562 §5.9), nobody's id. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
const PUBLIC_COLUMNS = 'id, username, nickname, avatar';

async function namingConflicts<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const taken = takenBy[violatedUnique(error) ?? ''];
    throw taken ? taken({ cause: error }) : error;
  }
}

/** A LIKE pattern for what begins with the keyword; the characters that LIKE treats as its own are escaped. */
export const literalPrefix = (keyword: string): string => `${keyword.replace(/[\\%_]/g, '\\$&')}%`;

@Injectable()
export class UserRepository {
  constructor(private readonly transactions: Transactions) {}

  findById(id: string): Promise<User | null> {
    return this.transactions.manager.findOneBy(User, { id });
  }

  /** Any case. */
  findByUsername(username: string): Promise<User | null> {
    return this.transactions.manager
      .createQueryBuilder(User, 'user')
      .where('lower(user.username) = lower(:username COLLATE "C")', { username })
      .getOne();
  }

  /** The e-mail in its compared form; `verified` leaves out those who merely claim it. */
  findByEmail(emailKey: string, { verified }: { verified: boolean }): Promise<User | null> {
    return this.transactions.manager.findOneBy(User, { emailKey, ...(verified && { emailVerified: true }) });
  }

  /** The phone in E.164; `verified` leaves out those who merely claim it. */
  findByPhone(phone: string, { verified }: { verified: boolean }): Promise<User | null> {
    return this.transactions.manager.findOneBy(User, { phone, ...(verified && { phoneVerified: true }) });
  }

  async isUsernameTaken(username: string): Promise<boolean> {
    const rows = await this.transactions.manager.query<unknown[]>(
      'SELECT 1 FROM user_account WHERE lower(username) = lower($1 COLLATE "C")',
      [username],
    );
    return rows.length > 0;
  }

  /** Errors: `username_taken`, `email_taken`, `phone_taken`. */
  async insert(user: NewUser): Promise<User> {
    const insert = this.transactions.manager.createQueryBuilder().insert().into(User).values(user).returning('*');
    await namingConflicts(insert.execute());
    return this.require(user.id);
  }

  /** Errors as `insert`; undefined when the user is gone. */
  async update(id: string, change: UserChange): Promise<User | null> {
    const values = {
      ...change,
      ...(change.passwordHash !== undefined && { passwordVersion: () => 'password_version + 1' }),
      updatedAt: () => 'now()',
    } as QueryDeepPartialEntity<User>;
    await namingConflicts(this.transactions.manager.update(User, { id }, values));
    return this.findById(id);
  }

  /** A login is no change of the account: `updated_at` stays. */
  async touchLastLogin(id: string): Promise<void> {
    await this.transactions.manager.query('UPDATE user_account SET last_login_at = now() WHERE id = $1', [id]);
  }

  /** undefined: no such user, or no password. Asking for nobody costs the same. */
  async findPassword(id: string | undefined): Promise<StoredPassword | undefined> {
    const rows = await this.transactions.manager.query<StoredPassword[]>(
      `SELECT password_hash AS hash, password_version AS version FROM user_account
       WHERE id = $1 AND password_hash IS NOT NULL`,
      [id ?? NOBODY],
    );
    return rows[0];
  }

  /** The same password in another form. */
  async replacePasswordHash(id: string, from: string, to: string): Promise<void> {
    await this.transactions.manager.query(
      'UPDATE user_account SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
      [id, from, to],
    );
  }

  /** Those of the users who have a password. */
  withPassword(ids: readonly string[]): Promise<string[]> {
    return this.idsOf('id = ANY($1::uuid[]) AND password_hash IS NOT NULL', ids);
  }

  /** Those of the users who have proved an e-mail, or a phone. */
  withProven(contact: 'email' | 'phone', ids: readonly string[]): Promise<string[]> {
    return this.idsOf(`id = ANY($1::uuid[]) AND ${contact}_verified`, ids);
  }

  async delete(id: string): Promise<boolean> {
    const { affected } = await this.transactions.manager.delete(User, { id });
    return affected === 1;
  }

  /** Holds the row until the transaction ends, so that two changes of one account follow each other. */
  lock(id: string): Promise<User | null> {
    return this.transactions.manager
      .createQueryBuilder(User, 'user')
      .setLock('pessimistic_write')
      .where('user.id = :id', { id })
      .getOne();
  }

  /** In no particular order; unknown ids are left out. */
  findPublic(ids: readonly string[]): Promise<PublicUser[]> {
    return this.transactions.manager.query(`SELECT ${PUBLIC_COLUMNS} FROM user_account WHERE id = ANY($1::uuid[])`, [
      ids,
    ]);
  }

  /** Active users whose username or nickname begins with the keyword, in any case, by username. */
  searchPublic(keyword: string, limit: number): Promise<PublicUser[]> {
    // Both sides by the database's lower(): its idea of case is its locale's, not JavaScript's.
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

  private async idsOf(condition: string, ids: readonly string[]): Promise<string[]> {
    const rows = await this.transactions.manager.query<{ id: string }[]>(
      `SELECT id FROM user_account WHERE ${condition}`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }

  private async require(id: string): Promise<User> {
    const user = await this.findById(id);
    if (!user) throw new Error(`User ${id} vanished in its own transaction`);
    return user;
  }
}
