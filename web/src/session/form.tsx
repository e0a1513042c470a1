import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { focusFirstInvalid } from '../shared/first-invalid';
import { useUnsaved } from './unsaved';
import type { Submit } from './use-submit';

interface FormProps {
  /** Action that submits the form. */
  readonly act: Submit;
  readonly onSubmit: () => Promise<void>;
  /** Discards the edits, for a button of type `reset`. */
  readonly onReset?: () => void;
  readonly children: ReactNode;
}

interface Typing {
  readonly onInput: () => void;
  readonly onSend: () => void;
  readonly onDiscard: () => void;
}

/** Input is unsaved until the service accepts it. Input typed during a request is unsaved again. */
function useTyping({ busy, failed }: Submit): Typing {
  const [typed, setTyped] = useState(false);
  const [sent, setSent] = useState(false);
  const isUnsaved = typed || (sent && (busy || failed));
  useUnsaved(isUnsaved);
  return {
    onInput: () => {
      setTyped(true);
    },
    onSend: () => {
      setSent(isUnsaved);
      setTyped(false);
    },
    onDiscard: () => {
      setSent(false);
      setTyped(false);
    },
  };
}

/** Does not use `stepMismatch`: the browser counts steps from the value that the page set last. */
const isBroken = ({ value, valueAsNumber, validity }: HTMLInputElement): boolean =>
  validity.badInput || (value !== '' && !Number.isSafeInteger(valueAsNumber));

/** Missing values and broken numbers never reach the service. */
function problemOf(field: HTMLInputElement | HTMLTextAreaElement): 'missing' | 'not_whole' | undefined {
  if (field instanceof HTMLInputElement && field.type === 'number' && isBroken(field)) return 'not_whole';
  return field.validity.valueMissing ? 'missing' : undefined;
}

/** Finds field errors before the form is sent, by field name. */
function problemsIn(form: HTMLFormElement): [name: string, problem: 'missing' | 'not_whole'][] {
  const fields = form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
  return [...fields].flatMap((field) => {
    const problem = problemOf(field);
    return problem ? [[field.name, problem]] : [];
  });
}

/** Form that shows all errors beside their fields in the page's language, including the browser's own. */
export function Form({ act, onSubmit, onReset, children }: FormProps): ReactNode {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const { onInput, onSend, onDiscard } = useTyping(act);
  useEffect(() => {
    if (Object.keys(act.fields).length > 0) focusFirstInvalid(form.current);
  }, [act.fields]);
  return (
    <form
      ref={form}
      noValidate
      onInput={onInput}
      onReset={(event) => {
        event.preventDefault();
        onDiscard();
        onReset?.();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const problems = problemsIn(event.currentTarget);
        if (problems.length > 0) {
          act.showMessage(Object.fromEntries(problems.map(([name, problem]) => [name, t(`field.${problem}`)])));
          return;
        }
        onSend();
        void onSubmit();
      }}
    >
      {children}
    </form>
  );
}
