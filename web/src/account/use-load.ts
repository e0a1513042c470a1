import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, type Answer, type Call } from './answer';
import { noticeSignedOut } from './me';
import { reloadIfStepIsDue } from './steps';

export interface Load<T> {
  readonly data: T | undefined;
  /** Error of the last request. */
  readonly error: unknown;
  readonly reload: () => Promise<void>;
}

/** Data on a page that the user comes back to is loaded again, except within this time. */
const FRESH_MS = 10_000;

/** Requests of the page that have failed. */
const failed = new Set<() => Promise<void>>();

/** Repeats the requests that failed before the user completed a required step. */
export async function reloadFailed(): Promise<void> {
  await Promise.all(Array.from(failed, (reload) => reload()));
}

addEventListener('online', () => void reloadFailed());

/** Calls the function when the user comes back to the page, unless it was called a moment before. */
function useReturn(onReturn: () => void): void {
  const latest = useRef(onReturn);
  latest.current = onReturn;
  useEffect(() => {
    let seen = Date.now();
    const look = (): void => {
      if (document.visibilityState !== 'visible' || Date.now() - seen < FRESH_MS) return;
      seen = Date.now();
      latest.current();
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
}

interface LoadOptions {
  /** Whether to load again when the user comes back to the page. */
  readonly onReturn?: boolean;
  /** Whether the request looks for a required step itself. */
  readonly isStep?: boolean;
}

/** Loads data when the component appears, after a change of the language, and when the user comes back to the page. */
export function useLoad<T>(call: Call<T>, { onReturn = true, isStep = false }: LoadOptions = {}): Load<T> {
  const { language } = useTranslation().i18n;
  const [state, setState] = useState<Answer<T>>({});
  /** Number of the last request. Answers of earlier ones are outdated. */
  const turn = useRef(0);
  const reload = async (): Promise<void> => {
    const own = (turn.current += 1);
    const { data, error } = await answerOf(call);
    if (own !== turn.current) return;
    noticeSignedOut(error);
    if (!isStep) reloadIfStepIsDue(error);
    setState((before) => (data === undefined ? { ...before, error } : { data }));
  };
  useEffect(() => {
    void reload();
    return () => {
      turn.current += 1;
    };
  }, [language]);
  useReturn(() => {
    if (onReturn) void reload();
  });
  const hasFailed = state.error !== undefined;
  useEffect(() => {
    if (!hasFailed) return;
    failed.add(reload);
    return () => {
      failed.delete(reload);
    };
  }, [hasFailed]);
  return { data: state.data, error: state.error, reload };
}
