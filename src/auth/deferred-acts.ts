import { Injectable } from '@nestjs/common';
import { KnownUser } from '../users';

/** What a login is to do for its user once the second factor is proved, in words that outlast the request. */
export interface Deferred {
  readonly kind: string;
  /** For the act of this kind alone. */
  readonly payload: string;
}

type Act = (user: KnownUser, payload: string) => Promise<void>;

/** What modules to the right do at the end of a login that a second step interrupted. */
@Injectable()
export class DeferredActs {
  private readonly acts = new Map<string, Act>();

  /** To be called while modules are built. */
  register(kind: string, act: Act): void {
    if (this.acts.has(kind)) throw new Error(`A second act after logins is called ${kind}`);
    this.acts.set(kind, act);
  }

  /** In the transaction that opens the session. Errors: those of the act. */
  async perform(user: KnownUser, { kind, payload }: Deferred): Promise<void> {
    const act = this.acts.get(kind);
    if (!act) throw new Error(`Nobody does what is called ${kind} after a login`);
    await act(user, payload);
  }
}
