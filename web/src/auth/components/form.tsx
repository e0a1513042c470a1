import { useEffect, useRef, type ReactNode } from 'react';
import { focusFirstInvalid } from '../../shared/first-invalid';
import type { Submission } from '../use-submit';
import { Failure, Submit } from '../../ui-basic/fields';

interface FormProps {
  readonly submission: Submission;
  readonly action: string;
  readonly onSubmit: () => void;
  /** None: the form only confirms. */
  readonly children?: ReactNode;
}

/** Form that is submitted by script and shows errors above its button. */
export function Form({ submission, action, onSubmit, children }: FormProps): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    focusFirstInvalid(form.current);
  }, [submission.fields]);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!submission.busy) onSubmit();
      }}
    >
      {children}
      <Failure messageCount={submission.messageCount}>{submission.failure}</Failure>
      <Submit busy={submission.busy}>{action}</Submit>
    </form>
  );
}
