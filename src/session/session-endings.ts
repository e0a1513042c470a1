import { Injectable } from '@nestjs/common';

/** Sessions that somebody ended: by a logout, a revocation or a limit, not by their time. */
export interface EndedSessions {
  readonly userId: string;
  readonly ids: readonly string[];
  /** There where all of the user's sessions were ended, those of the past too, but this one; null: every one. */
  readonly keep?: string | null;
}

type Step = (ended: EndedSessions) => Promise<void>;

/** What modules to the right do in the transaction in which sessions end. */
@Injectable()
export class SessionEndings {
  private readonly steps: Step[] = [];

  /** To be called while modules are built. */
  add(step: Step): void {
    this.steps.push(step);
  }

  async tell(ended: EndedSessions): Promise<void> {
    for (const step of this.steps) await step(ended);
  }
}
