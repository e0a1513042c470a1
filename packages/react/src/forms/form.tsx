import type { Problem } from 'castellan-client';
import type { ReactNode, SyntheticEvent } from 'react';
import { type SubmissionState, UNREACHABLE } from '../index';
import type { Language, Texts } from './texts';

/** Properties of every form. */
export interface FormProps {
  /** Default: the language of the page, `<html lang>`. */
  readonly language?: Language;
  readonly className?: string;
  /** Shown below the fields, for example links. */
  readonly children?: ReactNode;
}

interface FrameProps {
  readonly state: SubmissionState;
  readonly t: Texts;
  /** What the button says. */
  readonly action: string;
  /** Shown if the problem has no text for the whole form. */
  readonly failure?: string | undefined;
  readonly className?: string | undefined;
  readonly onSubmit: (fields: Readonly<Record<string, string>>) => void;
  readonly children: ReactNode;
}

/** Codes such as `username_taken` name the field they are about. */
const FIELDS: Readonly<Record<string, string>> = {
  username_taken: 'username',
  email_taken: 'email',
  phone_taken: 'phone',
  password_too_common: 'password',
  code_invalid: 'code',
};

/** The error of one field, if the problem is about it. */
export function fieldError(problem: Problem | undefined, name: string): string | undefined {
  const own = problem?.errors?.find(({ field }) => field === name)?.detail;
  return own ?? (problem && FIELDS[problem.code] === name ? (problem.detail ?? problem.title) : undefined);
}

function failureOf(problem: Problem | undefined, t: Texts): string | undefined {
  if (!problem) return undefined;
  if (problem.code === UNREACHABLE) return t('unreachable');
  return problem.code in FIELDS || problem.errors ? undefined : (problem.detail ?? problem.title);
}

function fieldsOf(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries);
}

/** A form with its button, and a place that screen readers announce errors from. */
export function Frame({ state, t, action, failure, className, onSubmit, children }: FrameProps): ReactNode {
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!state.isPending) onSubmit(fieldsOf(event.currentTarget));
  };
  return (
    // By POST: a form that is submitted before the page's script runs must not put a password into the address.
    <form method="post" className={className} onSubmit={submit} aria-busy={state.isPending}>
      {children}
      <p role="alert">{failureOf(state.problem, t) ?? failure}</p>
      <button type="submit" aria-disabled={state.isPending}>
        {action}
      </button>
    </form>
  );
}
