import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../platform/jobs/events';
import { userView } from './user.cache';
import { User } from './user.entity';
import {
  accountChanged,
  AccountEvent,
  accountsChanged,
  avatarChanged,
  usersDisabled,
  usersEnabled,
} from './user.events';

/** Publishes account events. Listeners run in the background after the commit. */
@Injectable()
export class AccountEventsService {
  constructor(private readonly events: DomainEvents) {}

  /** Publishes which of the users were disabled or enabled. Call in the transaction of the change. */
  async statusChanged(before: readonly User[], after: readonly User[]): Promise<void> {
    const former = new Map(before.map(({ id, status }) => [id, status]));
    const changed = after.filter(({ id, status }) => former.has(id) && former.get(id) !== status);
    for (const [event, status] of [[usersDisabled, 'disabled'] as const, [usersEnabled, 'active'] as const]) {
      const userIds = changed.flatMap((user) => (user.status === status ? user.id : []));
      if (userIds.length > 0) await this.events.publish(event, { userIds });
    }
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
