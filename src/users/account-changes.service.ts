import { Injectable } from '@nestjs/common';
import { AuditEntry, AuditService } from '../audit';
import { AccountEventsService } from './account-events.service';
import { UserCache } from './user.cache';
import { User } from './user.entity';

/** Audits a stored account change, invalidates the cached user and publishes the account events. */
@Injectable()
export class AccountChangesService {
  constructor(
    private readonly audit: AuditService,
    private readonly userCache: UserCache,
    private readonly events: AccountEventsService,
  ) {}

  /** Call in the transaction of the change, after its writes. */
  async record(before: User, after: User, entry: AuditEntry): Promise<void> {
    await this.audit.record(entry);
    await this.userCache.invalidate(after.id);
    await this.events.changed(before, after);
  }
}
