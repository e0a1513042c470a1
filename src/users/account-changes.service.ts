import { Injectable } from '@nestjs/common';
import { AuditEntry, AuditService } from '../audit';
import { AccountEventsService } from './account-events.service';
import { ExternalAvatarsService } from './external-avatars.service';
import { auditedPart, changedAttributes } from './user-change';
import { userTarget } from './user-target';
import { UserCache } from './user.cache';
import { User } from './user.entity';
import type { UserChange } from './user.repository';
import { userActs } from './user.acts';

/** Checks avatars, audits a stored account change, invalidates the cached user and publishes the account events. */
@Injectable()
export class AccountChangesService {
  constructor(
    private readonly audit: AuditService,
    private readonly userCache: UserCache,
    private readonly events: AccountEventsService,
    private readonly avatars: ExternalAvatarsService,
  ) {}

  /** The change as it may be stored. Throws `validation_failed`. */
  check(before: User, change: UserChange): Promise<UserChange> {
    return this.avatars.check(before, change);
  }

  /** Same as `record`, for changed fields of the account. Call in the transaction of the change, after its writes. */
  recordUpdate(before: User, after: User, change: UserChange, reason?: string): Promise<void> {
    return this.record(before, after, updated(before, after, change, reason));
  }

  /** Same as `recordUpdate`, for a new status of many users. */
  async recordStatus(before: readonly User[], after: readonly User[]): Promise<void> {
    const former = new Map(before.map((user) => [user.id, user]));
    const entries = after.map((user) => updated(former.get(user.id) ?? user, user, { status: user.status }));
    await this.audit.recordAll(entries);
    await this.userCache.invalidate(after.map(({ id }) => id));
    await this.events.statusChanged(before, after);
  }

  /** Call in the transaction of the change, after its writes. */
  async record(before: User, after: User, entry: AuditEntry): Promise<void> {
    await this.audit.record(entry);
    await this.userCache.invalidate(after.id);
    await this.events.changed(before, after);
  }
}

function updated(before: User, after: User, change: UserChange, reason?: string): AuditEntry {
  return userActs.update({
    target: userTarget(after),
    before: auditedPart(before, change),
    after: { ...auditedPart(after, change), ...changedAttributes(before.attributes, after.attributes) },
    ...(reason !== undefined && { reason }),
  });
}
