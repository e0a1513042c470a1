import { Injectable } from '@nestjs/common';
import { isConnectionLost, Transactions } from '../../platform/database';
import { Log } from '../../platform/logging';
import { RolesService } from '../../rbac';
import { SessionsService } from '../../session';
import {
  AccountDeletionService,
  AccountEventsService,
  DeletionRequestRepository,
  DueDeletion,
  UserRepository,
  userTarget,
  userView,
} from '../../users';

const BATCH = 100;

/**
 * Deletes accounts whose days of grace are over, and reminds owners a day before. Each account has its own transaction
 * and is locked and checked in it, so that parallel instances, a cancellation or a crash leave no half-deleted account.
 */
@Injectable()
export class RequestedDeletionsService {
  constructor(
    private readonly requests: DeletionRequestRepository,
    private readonly users: UserRepository,
    private readonly roles: RolesService,
    private readonly sessions: SessionsService,
    private readonly deletion: AccountDeletionService,
    private readonly events: AccountEventsService,
    private readonly transactions: Transactions,
    private readonly log: Log,
  ) {}

  async remind(stopping: AbortSignal): Promise<void> {
    for (let count = BATCH; count === BATCH && !stopping.aborted;) count = await this.remindSome();
  }

  /**
   * An account that cannot be deleted does not hold up the others, and the next run tries it again. Throws if the
   * connection to the database is lost.
   */
  async deleteDue(stopping: AbortSignal): Promise<void> {
    let after: DueDeletion | undefined;
    do {
      const due = await this.requests.findDue(after, BATCH);
      for (const { id } of due) {
        if (stopping.aborted) return;
        await this.attempt(id);
      }
      after = due.length === BATCH ? due.at(-1) : undefined;
    } while (after);
  }

  private remindSome(): Promise<number> {
    return this.transactions.run(async () => {
      const users = await this.users.findMany(await this.requests.claimReminders(BATCH));
      await this.events.announceAll(users.map((user) => ({ type: 'deletion_reminder', user: userView(user) })));
      return users.length;
    });
  }

  private async attempt(id: string): Promise<void> {
    try {
      await this.transactions.run(() => this.delete(id));
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      this.log.warn('A requested deletion failed', { user_id: id, err: error });
    }
  }

  private async delete(id: string): Promise<void> {
    // Locks in the order of every deletion: grants, user, sessions.
    await this.roles.assertNotLastAdmin(id);
    const user = await this.users.lock(id);
    if (!user || !(await this.requests.isDue(id))) return;
    await this.sessions.revokeAll(id);
    await this.deletion.delete(id, {
      actor: { id, username: user.username },
      target: userTarget(user),
      before: { deletion_due_at: user.deletionDueAt?.toISOString() },
    });
    await this.events.announce({ type: 'account_deleted', user: userView(user) });
  }
}
