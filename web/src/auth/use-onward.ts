import { useState } from 'react';
import { goOn, nextStep, type NextStep } from './continue';
import { useSubmit, type Submission } from './use-submit';

export interface Onward {
  readonly submission: Submission;
  /** Whether a logged-in user cannot continue because of an error. */
  readonly isStuck: boolean;
  /** @param options.mayBeDeleted does not offer to keep an account whose deletion was requested. */
  readonly go: (options?: { readonly mayBeDeleted: boolean }) => Promise<void>;
}

/** Continues after a login, and can retry, so that a busy service does not require a second login. */
export function useOnward(onStep: (step: NextStep) => void): Onward {
  const submission = useSubmit();
  const [isStuck, setIsStuck] = useState(false);
  const go: Onward['go'] = async (options) => {
    const answer = await submission.find(async () => {
      const step = await nextStep(options);
      if (step === undefined) await goOn();
      else {
        setIsStuck(false);
        onStep(step);
      }
    });
    if (!answer) setIsStuck(true);
  };
  return { submission, isStuck, go };
}
