import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from 'eventemitter2';
import { Log } from '../platform/logging';
import { withDeadline } from '../platform/time';

export type UserSource = 'register' | 'bind' | 'provider' | 'admin' | 'import';

/** What a `user.created` listener is told. */
export interface UserCreated {
  readonly userId: string;
  readonly username: string;
  readonly source: UserSource;
}

export type UserCreatedListener = (event: UserCreated) => unknown;

export const USER_CREATED = 'user.created';
const PATIENCE_MS = 2_000;

/**
 * The hook on new users. Listeners run after the commit, all of them settle or two seconds pass, and none can undo the
 * user: a listener that throws is a warning in the log.
 */
@Injectable()
export class UserEvents {
  private readonly emitter = new EventEmitter2({ maxListeners: 0 });

  constructor(private readonly log: Log) {}

  onUserCreate(listener: UserCreatedListener): void {
    this.emitter.on(USER_CREATED, listener);
  }

  async emitCreated(event: UserCreated): Promise<void> {
    const listeners = this.emitter.listeners(USER_CREATED) as UserCreatedListener[];
    await Promise.all(listeners.map((listener) => this.tell(listener, event)));
  }

  private async tell(listener: UserCreatedListener, event: UserCreated): Promise<void> {
    try {
      const told = Promise.resolve().then(() => listener(event));
      await withDeadline(PATIENCE_MS, told);
    } catch (error) {
      this.log.warn('A user.created listener failed', { user_id: event.userId, err: error });
    }
  }
}
