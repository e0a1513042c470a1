import { Injectable } from '@nestjs/common';
import { AuditEntry, AuditService } from '../audit';
import { DomainEvents } from '../platform/jobs/events';
import { UserCache } from './user.cache';
import { userDeleting } from './user.events';
import { UserRepository } from './user.repository';

/** Deletes an account. Listeners of `userDeleting` delete what belongs to it. */
@Injectable()
export class AccountDeletionService {
  constructor(
    private readonly audit: AuditService,
    private readonly events: DomainEvents,
    private readonly users: UserRepository,
    private readonly userCache: UserCache,
  ) {}

  /** Call in a transaction that has locked the user and revoked the sessions. */
  async delete(userId: string, entry: Omit<AuditEntry, 'action'>): Promise<void> {
    await this.audit.record({ ...entry, action: 'user.delete' });
    await this.events.publish(userDeleting, { userId });
    await this.users.delete(userId);
    await this.userCache.invalidate(userId);
  }
}
