import { Injectable } from '@nestjs/common';
import { ActInput, AuditService } from '../audit';
import { DomainEvents } from '../platform/jobs/events';
import { UserCache } from './user.cache';
import { userDeleting } from './user.events';
import { UserRepository } from './user.repository';
import { userActs } from './user.acts';

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
  async delete(userId: string, entry: ActInput<typeof userActs.delete>): Promise<void> {
    await this.audit.record(userActs.delete, { ...entry });
    await this.events.publish(userDeleting, { userId });
    await this.users.delete(userId);
    await this.userCache.invalidate(userId);
  }
}
