import { Injectable } from '@nestjs/common';

type Step = (userId: string) => Promise<void>;

/** What modules to the right do in the transaction in which an account is deleted, before it goes. */
@Injectable()
export class UserDeletions {
  private readonly steps: Step[] = [];

  /** To be called while modules are built. */
  before(step: Step): void {
    this.steps.push(step);
  }

  /** To be called in the transaction, whoever deletes the account. */
  async prepare(userId: string): Promise<void> {
    for (const step of this.steps) await step(userId);
  }
}
