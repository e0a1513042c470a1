import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { userTarget } from './user-target';
import { UserCache } from './user.cache';
import { ContactField, UserRepository } from './user.repository';

/** Contacts that a user has verified, in their stored form. */
export interface ProvenContacts {
  readonly emailKey?: string | undefined;
  /** E.164. */
  readonly phone?: string | undefined;
}

/** A verified contact belongs to one user: accounts that have it unverified lose it. */
@Injectable()
export class ContactOwnershipService {
  constructor(
    private readonly users: UserRepository,
    private readonly userCache: UserCache,
    private readonly audit: AuditService,
  ) {}

  /** Call in the transaction that assigns the contacts to the user who verified them. */
  async take({ emailKey, phone }: ProvenContacts, userId: string): Promise<void> {
    if (emailKey !== undefined) await this.drop('email', emailKey, userId);
    if (phone !== undefined) await this.drop('phone', phone, userId);
  }

  private async drop(field: ContactField, value: string, userId: string): Promise<void> {
    const claimant = await this.users.removeUnverifiedContact(field, value, userId);
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
