import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';

export interface ProviderDeletion {
  readonly providerId: string;
  readonly caller: Caller;
  /** Whatever hangs on the provider goes with it. */
  readonly force: boolean;
}

/** Answers what it did, for the audit. */
type Step = (deletion: ProviderDeletion) => Promise<Readonly<Record<string, number>>>;

/** What modules to the right do, or refuse, in the transaction in which a login provider is deleted. */
@Injectable()
export class ProviderDeletions {
  private readonly steps: Step[] = [];

  /** To be called while modules are built. */
  before(step: Step): void {
    this.steps.push(step);
  }

  async prepare(deletion: ProviderDeletion): Promise<Record<string, number>> {
    const done: Record<string, number> = {};
    for (const step of this.steps) Object.assign(done, await step(deletion));
    return done;
  }
}
