import { Injectable } from '@nestjs/common';
import { ErrorFactory } from '../platform/errors';
import { UserView } from '../users';

/** Work at the end of a login, as data, so that it can wait for the second factor. */
export interface PostLoginAction {
  /** Names the handler. */
  readonly kind: string;
  /** Input of the handler. */
  readonly payload: string;
  /** Whether the MFA session keeps it. Otherwise the request that brings the second factor has to bring it again. */
  readonly isKeptForMfa: boolean;
}

/** Runs the actions of one kind. */
export interface PostLoginActionHandler {
  readonly kind: string;
  /** @param refusal the error of the login when what the action relies on has changed. */
  run(user: UserView, payload: string, refusal: ErrorFactory): Promise<void>;
}

/** Handlers of post-login actions. */
@Injectable()
export class PostLoginActionRegistry {
  private readonly handlers = new Map<string, PostLoginActionHandler>();

  /** To be called while modules are built. */
  add(handler: PostLoginActionHandler): void {
    if (this.handlers.has(handler.kind)) throw new Error(`There are two post-login actions of kind ${handler.kind}`);
    this.handlers.set(handler.kind, handler);
  }

  /** In the transaction that opens the session. Errors: those of the handler, which undo the login. */
  async run(user: UserView, { kind, payload }: PostLoginAction, refusal: ErrorFactory): Promise<void> {
    const handler = this.handlers.get(kind);
    if (!handler) throw new Error(`No post-login action has the kind ${kind}`);
    await handler.run(user, payload, refusal);
  }
}
