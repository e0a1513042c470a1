import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { AccountEventsService } from './account-events.service';
import { DeletionRequestRepository } from './deletion-request.repository';
import { userTarget } from './user-target';
import { UserCache, userView } from './user.cache';
import { User } from './user.entity';
import { userActs } from './user.acts';

/** Lets accounts await their deletion. Call each method in a transaction that has locked the user. */
@Injectable()
export class DeletionRequestsService {
  constructor(
    private readonly requests: DeletionRequestRepository,
    private readonly userCache: UserCache,
    private readonly audit: AuditService,
    private readonly events: AccountEventsService,
  ) {}

  /** Notifies the owner. A deletion that was requested before keeps its time. Returns the time. */
  async open(user: User, graceDays: number): Promise<Date> {
    if (user.deletionDueAt) return user.deletionDueAt;
    const dueAt = await this.requests.set(user.id, graceDays);
    if (!dueAt) throw new Error(`User ${user.id} is not locked`);
    await this.audit.record(userActs.requestDeletion, {
      target: userTarget(user),
      after: { deletion_due_at: dueAt.toISOString() },
    });
    await this.userCache.invalidate(user.id);
    await this.events.announce({ type: 'deletion_requested', user: { ...userView(user), deletionDueAt: dueAt } });
    return dueAt;
  }

  /** Keeps the account, and notifies the owner. Does nothing if no deletion was requested. */
  async cancel(user: User): Promise<void> {
    if (!user.deletionDueAt) return;
    await this.requests.clear(user.id);
    await this.audit.record(userActs.cancelDeletion, {
      target: userTarget(user),
      before: { deletion_due_at: user.deletionDueAt.toISOString() },
    });
    await this.userCache.invalidate(user.id);
    await this.events.announce({ type: 'deletion_cancelled', user: { ...userView(user), deletionDueAt: null } });
  }
}
