import { Injectable } from '@nestjs/common';
import { AuditEntry, AuditService } from '../audit';
import { AccountEventsService } from './account-events.service';
import { auditedPart } from './user-change';
import { userTarget } from './user-target';
import { UserCache } from './user.cache';
import { User } from './user.entity';
import type { UserChange } from './user.repository';

/** Audits a stored account change, invalidates the cached user and publishes the account events. */
@Injectable()
export class AccountChangesService {
  constructor(
    private readonly audit: AuditService,
    private readonly userCache: UserCache,
    private readonly events: AccountEventsService,
  ) {}

  /** Same as `record`, for changed fields of the account. Call in the transaction of the change, after its writes. */
  recordUpdate(before: User, after: User, change: UserChange, reason?: string): Promise<void> {
    return this.record(before, after, {
      action: 'user.update',
      target: userTarget(after),
      before: auditedPart(before, change),
      after: auditedPart(after, change),
      ...(reason !== undefined && { reason }),
    });
  }

  /** Call in the transaction of the change, after its writes. */
  async record(before: User, after: User, entry: AuditEntry): Promise<void> {
    await this.audit.record(entry);
    await this.userCache.invalidate(after.id);
    await this.events.changed(before, after);
  }
}
