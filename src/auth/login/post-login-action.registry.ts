import { Injectable } from '@nestjs/common';
import { ErrorFactory } from '../../platform/errors';
import { UserView } from '../../users';

/** Work at the end of a login, stored as data, so that it can wait for the second factor. */
export interface PostLoginAction {
  /** Names the handler. */
  readonly kind: string;
  /** Input of the handler. */
  readonly payload: string;
  /** Whether the MFA session keeps the action. Otherwise the request with the second factor must provide it again. */
  readonly isKeptForMfa: boolean;
}

/** The login that an action ends. */
export interface ActionLogin {
  readonly method: string;
  /** The error of the login when data that the action relies on has changed. */
  readonly createError: ErrorFactory;
}

/** Runs the actions of one kind. */
export interface PostLoginActionHandler {
  readonly kind: string;
  /** Returns the login method that the session records, if the action proves another one than the login. */
  run(user: UserView, payload: string, login: ActionLogin): Promise<string | undefined>;
}

/** Handlers of post-login actions. */
@Injectable()
export class PostLoginActionRegistry {
  private readonly handlers = new Map<string, PostLoginActionHandler>();

  /** Call while modules initialize. */
  add(handler: PostLoginActionHandler): void {
    if (this.handlers.has(handler.kind)) throw new Error(`Duplicate post-login action ${handler.kind}`);
    this.handlers.set(handler.kind, handler);
  }

  /** Returns the method that the action proves. Runs in the transaction that opens the session. Errors undo the login. */
  async run(user: UserView, { kind, payload }: PostLoginAction, login: ActionLogin): Promise<string | undefined> {
    const handler = this.handlers.get(kind);
    if (!handler) throw new Error(`Unknown post-login action ${kind}`);
    return handler.run(user, payload, login);
  }
}
