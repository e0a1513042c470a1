import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { focusFirstInvalid } from '../../shared/first-invalid';
import { useUnsaved } from '../unsaved';
import type { Act } from './use-act';

interface FormProps {
  /** What it is sent by. */
  readonly act: Act;
  readonly onSubmit: () => Promise<void>;
  /** Takes back what was typed, for a button of the kind `reset`. */
  readonly onReset?: () => void;
  readonly children: ReactNode;
}

interface Typing {
  readonly onInput: () => void;
  readonly onSend: () => void;
  readonly onDiscard: () => void;
}

/** What was typed is unsaved until it was taken; what is typed while it is on its way is unsaved anew. */
function useTyping({ busy, refused }: Act): Typing {
  const [typed, setTyped] = useState(false);
  const [sent, setSent] = useState(false);
  const isUnsaved = typed || (sent && (busy || refused));
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

/** Not by the browser's steps, which it counts from whatever the page wrote into the field last. */
const isBroken = ({ value, valueAsNumber, validity }: HTMLInputElement): boolean =>
  validity.badInput || (value !== '' && !Number.isSafeInteger(valueAsNumber));

/** What the service would never hear of: what is not there, or is no whole number. */
function problemOf(field: HTMLInputElement | HTMLTextAreaElement): 'missing' | 'not_whole' | undefined {
  if (field instanceof HTMLInputElement && field.type === 'number' && isBroken(field)) return 'not_whole';
  return field.validity.valueMissing ? 'missing' : undefined;
}

/** What is wrong with fields that need not be sent for it, by their names. */
function problemsIn(form: HTMLFormElement): [name: string, problem: 'missing' | 'not_whole'][] {
  const fields = form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
  return [...fields].flatMap((field) => {
    const problem = problemOf(field);
    return problem ? [[field.name, problem]] : [];
  });
}

/** A form whose refusals, the browser's own included, stand in the page's language beside their fields. */
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
          act.say(Object.fromEntries(problems.map(([name, problem]) => [name, t(`field.${problem}`)])));
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
