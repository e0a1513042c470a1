import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { DomainEvents } from '../platform/jobs/events';
import { userTarget } from './user-target';
import { UserCache } from './user.cache';
import { User } from './user.entity';
import { contactsBeingProven, ContactsProven, contactsProven } from './user.events';
import { ContactField, UserRepository } from './user.repository';
import { userActs } from './user.acts';

/** A verified contact belongs to one user: accounts that have it unverified lose it. */
@Injectable()
export class ContactOwnershipService {
  constructor(
    private readonly users: UserRepository,
    private readonly userCache: UserCache,
    private readonly audit: AuditService,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Call in the transaction that assigns the contacts to the user who verified them, before the user is stored. Contacts
   * that the user had verified before are no news to others.
   */
  async take({ emailKey, phone }: Omit<ContactsProven, 'userId'>, userId: string): Promise<void> {
    if (emailKey === undefined && phone === undefined) return;
    const before = await this.users.findById(userId);
    if (emailKey !== undefined) await this.drop('email', emailKey, userId);
    if (phone !== undefined) await this.drop('phone', phone, userId);
    const proven = {
      ...(!isVerified(before, 'email', emailKey) && { emailKey }),
      ...(!isVerified(before, 'phone', phone) && { phone }),
    };
    if (Object.keys(proven).length === 0) return;
    await this.events.publish(contactsBeingProven, { userId, ...proven });
    await this.events.publish(contactsProven, { userId, ...proven });
  }

  private async drop(field: ContactField, value: string, userId: string): Promise<void> {
    const claimant = await this.users.removeUnverifiedContact(field, value, userId);
    if (!claimant) return;
    await this.audit.record(userActs.update, {
      target: userTarget(claimant),
      before: { [field]: claimant.contact },
      after: { [field]: null },
      reason: 'verified by another user',
    });
    await this.userCache.invalidate(claimant.id);
  }
}

/** Whether the contact, if there is one, was verified for the user before. */
function isVerified(user: User | null, field: ContactField, value: string | undefined): boolean {
  if (value === undefined) return true;
  const [known, verified] =
    field === 'email' ? [user?.emailKey, user?.emailVerified] : [user?.phone, user?.phoneVerified];
  return known === value && verified === true;
}
