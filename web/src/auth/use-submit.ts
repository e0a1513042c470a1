import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors, isProblem, sentenceOf, type Problem } from '../api/problem';
import { pageLanguage } from '../shared/language';
import { useSaid } from '../shared/use-said';

/** Whoever is still here then was not led away: a page of an app was opened, or the step has to be taken again. */
const GONE_AFTER_MS = 5_000;

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

interface Wrong {
  /** What went wrong as a whole; problems of single fields stand in `fields`. */
  readonly failure: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

const nothing: Wrong = { failure: undefined, fields: {} };

export interface Submission extends Wrong {
  /** From the sending until something went wrong: what was taken leads to another page, and is not sent twice before it does. */
  readonly busy: boolean;
  /** Whether something went wrong, even where it was told in a language that the page speaks no more. */
  readonly failed: boolean;
  /** Counts what was told: the same words twice are two failures. */
  readonly told: number;
  fail(failure: string | undefined): void;
  /** Forgets what went wrong. */
  clear(): void;
  /** Sends, and gives the answer's body; undefined when it was refused, which is then told. */
  send<T>(
    call: () => Promise<Answer<T>>,
    refused?: (problem: Problem) => boolean,
  ): Promise<{ data: T | undefined } | undefined>;
  /** Asks what takes several calls, in the same way; `ask` throws what it was refused with. */
  find<T>(ask: () => Promise<T>): Promise<{ data: T } | undefined>;
}

async function bodyOf<T>(call: () => Promise<Answer<T>>): Promise<T | undefined> {
  const { data, error, response } = await call();
  if (!response.ok) throw error;
  return data;
}

/** Back to a page that the browser kept as it was left. */
function useReturn(onReturn: () => void): void {
  useEffect(() => {
    const wake = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) onReturn();
    };
    addEventListener('pageshow', wake);
    return () => {
      removeEventListener('pageshow', wake);
    };
  }, []);
}

interface Telling extends Wrong, Pick<Submission, 'failed' | 'told' | 'clear'> {
  /** @param language of the words, where it is not the one that the page speaks. */
  readonly tell: (wrong: Wrong, language?: string) => void;
}

/** What went wrong, told in the page's language. */
function useTelling(): Telling {
  const { said, say } = useSaid(nothing);
  const [failed, setFailed] = useState(false);
  const [told, setTold] = useState(0);
  return {
    ...said,
    failed,
    told,
    tell: (wrong, language) => {
      setFailed(wrong.failure !== undefined);
      say(wrong, language);
      setTold((count) => count + 1);
    },
    clear: () => {
      setFailed(false);
      say(nothing);
    },
  };
}

/** Sends a form, keeps it from being sent twice, and keeps what the service said about it. */
export function useSubmit(): Submission {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const { tell, clear, ...telling } = useTelling();

  useReturn(() => {
    setBusy(false);
  });

  /** Ends the wait of a page that is still here; another sending begins one of its own. */
  const wake = useRef<ReturnType<typeof setTimeout>>(undefined);

  const fail = (failure: string | undefined): void => {
    setBusy(false);
    tell({ ...nothing, failure });
  };
  const explain = (error: unknown, language: string): void => {
    if (!isProblem(error)) {
      fail(t('form.unreachable'));
      return;
    }
    const fields = fieldErrors(error);
    const failure = Object.keys(fields).length === 0 ? sentenceOf(error) : t('form.see_fields');
    setBusy(false);
    tell({ failure, fields }, language);
  };

  const find = async <T>(
    ask: () => Promise<T>,
    refused?: (problem: Problem) => boolean,
  ): Promise<{ data: T } | undefined> => {
    const language = pageLanguage();
    // What was told stays until the answer: else what stands below it slides under a second click.
    setBusy(true);
    clearTimeout(wake.current);
    try {
      const data = await ask();
      wake.current = setTimeout(setBusy, GONE_AFTER_MS, false);
      return { data };
    } catch (error) {
      if (!(isProblem(error) && refused?.(error))) explain(error, language);
      return undefined;
    }
  };

  return {
    ...telling,
    busy,
    fail,
    clear,
    find,
    send: (call, refused) => find(() => bodyOf(call), refused),
  };
}
