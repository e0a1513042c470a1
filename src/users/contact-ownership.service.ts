import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { Transactions } from '../platform/database';
import { userTarget } from './user-target';
import { UserCache } from './user.cache';

/** Contacts that a user has verified, in their stored form. */
export interface ProvenContacts {
  readonly emailKey?: string | undefined;
  /** E.164. */
  readonly phone?: string | undefined;
}

interface Claimant {
  readonly id: string;
  readonly username: string;
  readonly contact: string;
}

const DROP_EMAIL = `WITH claimant AS (
    SELECT id, email AS contact FROM user_account WHERE email_key = $1 AND NOT email_verified AND id <> $2 FOR UPDATE)
  UPDATE user_account SET email = NULL, email_key = NULL, updated_at = now() FROM claimant
  WHERE user_account.id = claimant.id RETURNING user_account.id, user_account.username, claimant.contact`;

const DROP_PHONE = `WITH claimant AS (
    SELECT id, phone AS contact FROM user_account WHERE phone = $1 AND NOT phone_verified AND id <> $2 FOR UPDATE)
  UPDATE user_account SET phone = NULL, updated_at = now() FROM claimant
  WHERE user_account.id = claimant.id RETURNING user_account.id, user_account.username, claimant.contact`;

/** A verified contact belongs to one user: accounts that have it unverified lose it. */
@Injectable()
export class ContactOwnershipService {
  constructor(
    private readonly transactions: Transactions,
    private readonly userCache: UserCache,
    private readonly audit: AuditService,
  ) {}

  /** Call in the transaction that assigns the contacts to the user who verified them. */
  async take({ emailKey, phone }: ProvenContacts, userId: string): Promise<void> {
    if (emailKey !== undefined) await this.drop('email', DROP_EMAIL, emailKey, userId);
    if (phone !== undefined) await this.drop('phone', DROP_PHONE, phone, userId);
  }

  private async drop(field: 'email' | 'phone', statement: string, value: string, userId: string): Promise<void> {
    // The contact is unique, so there is at most one claimant.
    const [claimant] = await this.transactions.rows<Claimant>(statement, [value, userId]);
    if (!claimant) return;
    await this.audit.record({
      action: 'user.update',
      target: userTarget(claimant),
      before: { [field]: claimant.contact },
      after: { [field]: null },
      reason: 'verified by another user',
    });
    await this.userCache.invalidate(claimant.id);
  }
}
