import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { usernameKey, UserStatus } from '../users';
import type { AttributeValues } from '../users/attributes';
import { Candidate } from './candidate';
import { Holder, Known } from './import-plan';

/** A row of `user_account` that an import inserts. */
export interface NewAccount {
  readonly id: string;
  readonly username: string;
  readonly formerUsername: string | null;
  readonly formerUsernameKey: string | null;
  readonly nickname: string;
  readonly avatar: string;
  readonly email: string | null;
  readonly emailKey: string | null;
  readonly emailVerified: boolean;
  readonly phone: string | null;
  readonly phoneVerified: boolean;
  readonly locale: string | null;
  readonly status: UserStatus;
  readonly passwordHash: string | null;
  readonly mustChangePassword: boolean;
  readonly attributes: AttributeValues;
  readonly termsVersion: string | null;
  readonly termsAcceptedAt: Date | null;
  /** null: now. */
  readonly createdAt: Date | null;
}

export interface Link {
  readonly sourceId: string;
  readonly userId: string;
  readonly made: boolean;
}

export interface NewPassword {
  readonly userId: string;
  readonly passwordHash: string;
  readonly mustChangePassword: boolean;
}

const HOLDER = `id, username, former_username_key AS "formerUsernameKey", email_key AS "emailKey", email_verified AS "emailVerified", phone`;

/** SQL: each statement passes a whole batch as one parameter, where TypeORM would pass one for each value. */
@Injectable()
export class ImportRepository {
  constructor(private readonly transactions: Transactions) {}

  findKnown(source: string, sourceIds: readonly string[]): Promise<Known[]> {
    return this.transactions.manager.query(
      `SELECT imported.source_id AS "sourceId", account.id AS "userId", account.username,
         account.former_username_key AS "formerUsernameKey",
         CASE WHEN account.email_verified THEN account.email_key END AS "verifiedEmail",
         CASE WHEN account.phone_verified THEN account.phone END AS "verifiedPhone",
         imported.made AND account.password_hash IS NULL AND account.password_version = 1
           AND account.last_login_at IS NULL AS "awaitsPassword"
       FROM imported_user AS imported JOIN user_account AS account ON account.id = imported.user_id
       WHERE imported.source = $1 AND imported.source_id = ANY($2::text[])`,
      [source, sourceIds],
    );
  }

  /** The owners of the candidates' usernames, login names and contacts. */
  findHolders(candidates: readonly Candidate[]): Promise<Holder[]> {
    const usernames = candidates.flatMap(({ username, otherUsername }) => [username, otherUsername ?? username]);
    const loginNames = candidates.flatMap(({ loginName }) => loginName ?? []);
    const names = [...usernames.map(usernameKey), ...loginNames.flatMap(({ key }) => key ?? [])];
    return this.transactions.manager.query(
      `SELECT ${HOLDER} FROM user_account WHERE lower(username) = ANY($1::varchar[])
       UNION SELECT ${HOLDER} FROM user_account WHERE former_username_key = ANY($1::varchar[])
       UNION SELECT ${HOLDER} FROM user_account WHERE email_key = ANY($2::varchar[]) AND email_key IS NOT NULL
       UNION SELECT ${HOLDER} FROM user_account WHERE phone = ANY($3::varchar[]) AND phone IS NOT NULL`,
      [
        [...new Set(names)],
        [...candidates.map(({ email }) => email?.key), ...loginNames.map(({ email }) => email)].flatMap(
          (key) => key ?? [],
        ),
        [...candidates, ...loginNames].flatMap(({ phone }) => phone ?? []),
      ],
    );
  }

  async insertAccounts(accounts: readonly NewAccount[]): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO user_account (id, username, former_username, former_username_key, nickname, avatar, email, email_key,
         email_verified, phone, phone_verified, locale, status, password_hash, must_change_password, attributes, terms_version, terms_accepted_at, created_at)
       SELECT id, username, "formerUsername", "formerUsernameKey", nickname, avatar, email, "emailKey", "emailVerified", phone, "phoneVerified", locale, status,
         "passwordHash", "mustChangePassword", attributes, "termsVersion", "termsAcceptedAt", coalesce("createdAt", now())
       FROM jsonb_to_recordset($1::jsonb) AS made (id uuid, username text, "formerUsername" text,
         "formerUsernameKey" text, nickname text, avatar text, email text,
         "emailKey" text, "emailVerified" boolean, phone text, "phoneVerified" boolean, locale text, status text,
         "passwordHash" text, "mustChangePassword" boolean, attributes jsonb, "termsVersion" text, "termsAcceptedAt" timestamptz,
         "createdAt" timestamptz)`,
      [JSON.stringify(accounts)],
    );
  }

  async insertLinks(source: string, links: readonly Link[]): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO imported_user (source, source_id, user_id, made)
       SELECT $1, "sourceId", "userId", made
       FROM jsonb_to_recordset($2::jsonb) AS link ("sourceId" text, "userId" uuid, made boolean)`,
      [source, JSON.stringify(links)],
    );
  }

  /** Sets the passwords of users who still have none, and returns these users. */
  async addPasswords(passwords: readonly NewPassword[]): Promise<ReadonlySet<string>> {
    const rows = await this.transactions.rows<{ id: string }>(
      `UPDATE user_account SET password_hash = added."passwordHash", password_version = password_version + 1,
         must_change_password = must_change_password OR added."mustChangePassword", updated_at = now()
       FROM jsonb_to_recordset($1::jsonb) AS added ("userId" uuid, "passwordHash" text, "mustChangePassword" boolean)
       WHERE user_account.id = added."userId" AND password_hash IS NULL
       RETURNING user_account.id`,
      [JSON.stringify(passwords)],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
