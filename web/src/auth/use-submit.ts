import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors, isProblem, sentenceOf, type Problem } from '../api/problem';

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

export interface Submission {
  readonly busy: boolean;
  /** What went wrong as a whole; problems of single fields stand in `fields`. */
  readonly failure: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  fail(failure: string | undefined): void;
  /** Sends, and gives the answer's body; undefined when it was refused, which is then told. */
  send<T>(
    call: () => Promise<Answer<T>>,
    refused?: (problem: Problem) => boolean,
  ): Promise<{ data: T | undefined } | undefined>;
  /** Asks what takes several calls, in the same way; `ask` throws what it was refused with. */
  find<T>(ask: () => Promise<T>): Promise<{ data: T } | undefined>;
}

/** Sends a form, keeps it from being sent twice, and keeps what the service said about it. */
export function useSubmit(): Submission {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, fail] = useState<string>();
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});

  const tell = (error: unknown): void => {
    if (!isProblem(error)) {
      fail(t('form.unreachable'));
      return;
    }
    const named = fieldErrors(error);
    setFields(named);
    fail(Object.keys(named).length === 0 ? sentenceOf(error) : t('form.see_fields'));
  };

  const find = async <T>(
    ask: () => Promise<T>,
    refused?: (problem: Problem) => boolean,
  ): Promise<{ data: T } | undefined> => {
    setBusy(true);
    fail(undefined);
    setFields({});
    try {
      return { data: await ask() };
    } catch (error) {
      if (!(isProblem(error) && refused?.(error))) tell(error);
      return undefined;
    } finally {
      setBusy(false);
    }
  };

  return {
    busy,
    failure,
    fields,
    fail,
    find,
    send: (call, refused) =>
      find(async () => {
        const { data, error, response } = await call();
        if (!response.ok) throw error;
        return data;
      }, refused),
  };
}
