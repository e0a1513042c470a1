import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from 'eventemitter2';
import { Log } from '../platform/logging';

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

const outcomeWithin = async (work: Promise<unknown>, milliseconds: number): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`A listener did not settle within ${milliseconds} ms`));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

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
      await outcomeWithin(
        Promise.resolve().then(() => listener(event)),
        PATIENCE_MS,
      );
    } catch (error) {
      this.log.warn('A user.created listener failed', { user_id: event.userId, err: error });
    }
  }
}
