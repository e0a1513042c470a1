import { useEffect, useState } from 'react';
import { fieldErrors, isProblem } from '../api/problem';
import { pageLanguage } from '../shared/language';
import { usePageMessage } from '../shared/use-page-message';
import type { Notify } from './notify';
import { wantedProof, type WantedProof } from './wanted-proof';

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

type Fields = Readonly<Record<string, string>>;

export interface Submit {
  readonly busy: boolean;
  /** Whether the last request failed. */
  readonly failed: boolean;
  /** Field errors of the last request. */
  readonly fields: Fields;
  /** Shows field errors that were found without a request. */
  showMessage(fields: Fields): void;
  /**
   * Sends a change, and asks the user to reauthenticate if the service requires it. Returns undefined after an error,
   * which the user sees.
   */
  run<T>(call: () => Promise<Answer<T>>, done?: string): Promise<{ data: T | undefined } | undefined>;
  /** Does the same for several requests. `ask` throws the error response. */
  find<T>(ask: () => Promise<T>): Promise<{ data: T } | undefined>;
}

/** What the entry does about the outcome of a request. */
interface SubmitFrame {
  readonly notify: Notify;
  /** Asks the user to reauthenticate. Resolves to whether the user did. */
  readonly prove: (wanted: WantedProof) => Promise<boolean>;
  /** Notices an ended session. */
  readonly onError: (error: unknown) => void;
}

const nothing: Fields = {};

/** Whether the page or a dialog shows all errors of the fields. */
function isShown(fields: Fields): boolean {
  const places = [...document.querySelectorAll('main, [role="dialog"], dialog')];
  return Object.values(fields).every((text) => places.some(({ textContent }) => textContent.includes(text)));
}

/** Repeats the request after the user has proved the required factor: the first, and then the second if required. */
async function withProof<T>(call: () => Promise<Answer<T>>, prove: SubmitFrame['prove']): Promise<Answer<T>> {
  const answer = await call();
  const wanted = wantedProof(answer.error);
  if (!wanted || !(await prove(wanted))) return answer;
  const again = await call();
  if (wanted === 'second' || wantedProof(again.error) !== 'second') return again;
  return (await prove('second')) ? call() : again;
}

/** Returns a function that shows an error as a notification, unless the page shows it beside its fields. */
function useErrorNotification(notify: Notify): (error: unknown) => void {
  const [latest, setLatest] = useState<{ readonly error: unknown }>();
  // An effect runs after the fields have rendered their errors.
  useEffect(() => {
    if (!latest) return;
    const named = isProblem(latest.error) ? fieldErrors(latest.error) : nothing;
    if (Object.keys(named).length === 0 || !isShown(named)) notify.requestError(latest.error);
  }, [latest]);
  return (error) => {
    setLatest({ error });
  };
}

export function useSubmitIn({ notify, prove, onError }: SubmitFrame): Submit {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const { message: fields, showMessage } = usePageMessage(nothing);
  const showUnlessBesideField = useErrorNotification(notify);

  const showError = (error: unknown, language: string): void => {
    onError(error);
    setFailed(true);
    if (isProblem(error)) showMessage(fieldErrors(error), language);
    showUnlessBesideField(error);
  };
  const find = async <T>(ask: () => Promise<T>): Promise<{ data: T } | undefined> => {
    const language = pageLanguage();
    setBusy(true);
    setFailed(false);
    showMessage(nothing, language);
    notify.clearErrors();
    try {
      return { data: await ask() };
    } catch (error) {
      showError(error, language);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    failed,
    fields,
    showMessage,
    find,
    run: (call, done) =>
      find(async () => {
        const { data, error, response } = await withProof(call, prove);
        if (!response.ok) throw error;
        if (done !== undefined) notify.success(done);
        return data;
      }),
  };
}
