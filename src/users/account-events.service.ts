import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../platform/jobs/events';
import { userView } from './user.cache';
import { User } from './user.entity';
import { accountChanged, AccountEvent, accountsChanged, avatarChanged, usersDisabled } from './user.events';

/** Publishes account events. Listeners run in the background after the commit. */
@Injectable()
export class AccountEventsService {
  constructor(private readonly events: DomainEvents) {}

  /** Publishes that those of the users who are disabled now were active. Call in the transaction of the change. */
  async statusChanged(before: readonly User[], after: readonly User[]): Promise<void> {
    const active = new Set(before.flatMap(({ id, status }) => (status === 'active' ? id : [])));
    const userIds = after.flatMap(({ id, status }) => (status === 'disabled' && active.has(id) ? id : []));
    if (userIds.length > 0) await this.events.publish(usersDisabled, { userIds });
  }

  /** Publishes changes of the status, the avatar, the password and the contacts. Call in the transaction of the change. */
  async changed(before: User, after: User): Promise<void> {
    const user = userView(after);
    await this.statusChanged([before], [after]);
    if (before.avatar !== after.avatar) {
      await this.events.publish(avatarChanged, { userId: after.id });
    }
    if (before.passwordVersion !== after.passwordVersion) await this.announce({ type: 'password_changed', user });
    if (before.emailKey !== after.emailKey) {
      await this.announce({ type: 'email_changed', user, before: before.email, wasVerified: before.emailVerified });
    }
    if (before.phone !== after.phone) {
      await this.announce({ type: 'phone_changed', user, before: before.phone, wasVerified: before.phoneVerified });
    }
  }

  /** Call in the transaction of the change. */
  announce(event: AccountEvent): Promise<void> {
    return this.events.publish(accountChanged, event);
  }

  /** Same as `announce`, for changes of many accounts by one act. */
  announceAll(events: readonly AccountEvent[]): Promise<void> {
    return this.events.publish(accountsChanged, events);
  }
}
