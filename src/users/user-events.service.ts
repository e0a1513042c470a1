import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../platform/jobs/events';
import { UserCreated, userCreated } from './user.events';

export type UserCreatedListener = (event: UserCreated) => unknown;

export const USER_CREATED = userCreated.name;

/**
 * The hook for new users. Listeners run after the commit, each for at most two seconds. A listener that throws is
 * logged as a warning and cannot undo the user.
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
