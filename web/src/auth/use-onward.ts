import { useState } from 'react';
import type { Demand } from '../shared/demand';
import { goOn, openDemand } from './continue';
import { useSubmit, type Submission } from './use-submit';

export interface Onward {
  readonly submission: Submission;
  /** Whether a logged-in user cannot continue because of an error. */
  readonly isStuck: boolean;
  readonly go: () => Promise<void>;
}

/** Continues after a login, and can retry, so that a busy service does not require a second login. */
export function useOnward(onDemand: (demand: Demand) => void): Onward {
  const submission = useSubmit();
  const [isStuck, setIsStuck] = useState(false);
  const go = async (): Promise<void> => {
    const answer = await submission.find(async () => {
      const demand = await openDemand();
      if (demand === undefined) await goOn();
      else {
        setIsStuck(false);
        onDemand(demand);
      }
    });
    if (!answer) setIsStuck(true);
  };
  return { submission, isStuck, go };
}
