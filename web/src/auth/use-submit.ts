import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors, isProblem, sentenceOf, type Problem } from '../api/problem';

/** Whoever is still here then was not led away: a page of an app was opened, or the step has to be taken again. */
const GONE_AFTER_MS = 5_000;

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

export interface Submission {
  /** From the sending until something went wrong: what was taken leads to another page, and is not sent twice before it does. */
  readonly busy: boolean;
  /** What went wrong as a whole; problems of single fields stand in `fields`. */
  readonly failure: string | undefined;
  /** Counts what was told: the same words twice are two failures. */
  readonly told: number;
  readonly fields: Readonly<Record<string, string>>;
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

/** Sends a form, keeps it from being sent twice, and keeps what the service said about it. */
export function useSubmit(): Submission {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [told, setTold] = useState(0);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});

  useReturn(() => {
    setBusy(false);
  });

  /** Ends the wait of a page that is still here; another sending begins one of its own. */
  const wake = useRef<ReturnType<typeof setTimeout>>(undefined);

  const fail = (text: string | undefined): void => {
    setBusy(false);
    setFailure(text);
    setTold((count) => count + 1);
  };
  const tell = (error: unknown): void => {
    const named = isProblem(error) ? fieldErrors(error) : {};
    setFields(named);
    if (!isProblem(error)) fail(t('form.unreachable'));
    else fail(Object.keys(named).length === 0 ? sentenceOf(error) : t('form.see_fields'));
  };

  const find = async <T>(
    ask: () => Promise<T>,
    refused?: (problem: Problem) => boolean,
  ): Promise<{ data: T } | undefined> => {
    // What was told stays until the answer: else what stands below it slides under a second click.
    setBusy(true);
    clearTimeout(wake.current);
    try {
      const data = await ask();
      wake.current = setTimeout(setBusy, GONE_AFTER_MS, false);
      return { data };
    } catch (error) {
      if (!(isProblem(error) && refused?.(error))) tell(error);
      return undefined;
    }
  };

  return {
    busy,
    failure,
    told,
    fields,
    fail,
    clear: () => {
      setFailure(undefined);
      setFields({});
    },
    find,
    send: (call, refused) => find(() => bodyOf(call), refused),
  };
}
