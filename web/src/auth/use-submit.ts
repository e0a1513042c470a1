import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors, isProblem, sentenceOf, type Problem } from '../api/problem';
import { pageLanguage } from '../shared/language';
import { usePageMessage } from '../shared/use-page-message';

/**
 * If the page is still open after this time, the browser did not navigate away: it opened an app, or the user must
 * repeat the step.
 */
const GONE_AFTER_MS = 5_000;

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

interface Wrong {
  /** Error of the whole form. Errors of single fields are in `fields`. */
  readonly failure: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

const nothing: Wrong = { failure: undefined, fields: {} };

export interface Submission extends Wrong {
  /**
   * True from submit until an error. After a success it stays true while the browser leaves, so that nothing is sent
   * twice.
   */
  readonly busy: boolean;
  /** Whether the last attempt failed, even if the message was in a language that is no longer shown. */
  readonly failed: boolean;
  /** Number of messages shown, which distinguishes two failures with the same text. */
  readonly messageCount: number;
  fail(failure: string | undefined): void;
  /** Clears the error. */
  clear(): void;
  /**
   * Sends the request and returns the response body. Returns undefined after an error, which the form shows unless
   * `handle` returns true for it.
   */
  send<T>(
    call: () => Promise<Answer<T>>,
    handle?: (problem: Problem) => boolean,
  ): Promise<{ data: T | undefined } | undefined>;
  /** Does the same for several requests. `ask` throws the error response. */
  find<T>(ask: () => Promise<T>): Promise<{ data: T } | undefined>;
}

async function bodyOf<T>(call: () => Promise<Answer<T>>): Promise<T | undefined> {
  const { data, error, response } = await call();
  if (!response.ok) throw error;
  return data;
}

/** Runs when the browser restores the page from its back/forward cache. */
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

interface ErrorState extends Wrong, Pick<Submission, 'failed' | 'messageCount' | 'clear'> {
  /** @param language of the message, if not the page's current language. */
  readonly show: (wrong: Wrong, language?: string) => void;
}

/** Keeps the error message, in the page's language. */
function useErrorState(): ErrorState {
  const { message, showMessage } = usePageMessage(nothing);
  const [failed, setFailed] = useState(false);
  const [count, setCount] = useState(0);
  return {
    ...message,
    failed,
    messageCount: count,
    show: (wrong, language) => {
      setFailed(wrong.failure !== undefined);
      showMessage(wrong, language);
      setCount((before) => before + 1);
    },
    clear: () => {
      setFailed(false);
      showMessage(nothing);
    },
  };
}

/** Submits a form, prevents double submission, and keeps the error response. */
export function useSubmit(): Submission {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const { show, clear, ...state } = useErrorState();

  useReturn(() => {
    setBusy(false);
  });

  /** Timer that reenables the form if the page is still open. A new submission starts another timer. */
  const wake = useRef<ReturnType<typeof setTimeout>>(undefined);

  const fail = (failure: string | undefined): void => {
    setBusy(false);
    show({ ...nothing, failure });
  };
  const explain = (error: unknown, language: string): void => {
    if (!isProblem(error)) {
      fail(t('form.unreachable'));
      return;
    }
    const fields = fieldErrors(error);
    // An error code may name a field that this form does not have, so its sentence is shown here, too.
    const failure = (error.errors ?? []).length === 0 ? sentenceOf(error) : t('form.see_fields');
    setBusy(false);
    show({ failure, fields }, language);
  };

  const find = async <T>(
    ask: () => Promise<T>,
    handle?: (problem: Problem) => boolean,
  ): Promise<{ data: T } | undefined> => {
    const language = pageLanguage();
    // Keep the message until the response arrives, or the content below moves under the second click of a double click.
    setBusy(true);
    clearTimeout(wake.current);
    try {
      const data = await ask();
      wake.current = setTimeout(setBusy, GONE_AFTER_MS, false);
      return { data };
    } catch (error) {
      if (!(isProblem(error) && handle?.(error))) explain(error, language);
      return undefined;
    }
  };

  return {
    ...state,
    busy,
    fail,
    clear,
    find,
    send: (call, handle) => find(() => bodyOf(call), handle),
  };
}
