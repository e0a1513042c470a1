import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../platform/events';
import { UserCreated, userCreated } from './user.events';

export type UserCreatedListener = (event: UserCreated) => unknown;

export const USER_CREATED = userCreated.name;

/**
 * The hook on new users. Listeners run after the commit, all of them settle or two seconds pass, and none can undo the
 * user: a listener that throws is a warning in the log.
 */
@Injectable()
export class UserEventsService {
  constructor(private readonly events: DomainEvents) {}

  onUserCreate(listener: UserCreatedListener): void {
    this.events.on(userCreated, listener);
  }

  emitCreated(event: UserCreated): Promise<void> {
    return this.events.publish(userCreated, event);
  }
}
