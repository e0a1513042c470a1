import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors, isProblem, sentenceOf, type Problem } from '../../api/problem';
import { focusFirstInvalid } from '../../shared/first-invalid';
import { useMe } from '../me';
import { noticeSignedOut } from '../query-client';
import { reauthenticate } from './reauthenticate';
import { useTell } from './use-tell';

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

export interface Act {
  readonly busy: boolean;
  /** The problem of each field of the last refusal. */
  readonly fields: Readonly<Record<string, string>>;
  /**
   * Changes something, asking for a fresh proof of identity where the service wants one; undefined when it was refused,
   * which the person is told.
   */
  run<T>(call: () => Promise<Answer<T>>, done?: string): Promise<{ data: T | undefined } | undefined>;
  /** Asks what takes several calls, in the same way; `ask` throws what it was refused with. */
  find<T>(ask: () => Promise<T>): Promise<{ data: T } | undefined>;
}

const fieldByCode: Readonly<Record<string, string>> = { password_incorrect: 'current_password', code_invalid: 'code' };

/** `name_taken` and its like are about one field, and say so by their code. */
function fieldOfCode(problem: Problem): Record<string, string> {
  const [, taken] = /^(\w+)_taken$/.exec(problem.code) ?? [];
  const field = taken ?? fieldByCode[problem.code];
  return field === undefined ? {} : { [field]: sentenceOf(problem) };
}

interface Said {
  readonly fields: Act['fields'];
  readonly say: (fields: Act['fields']) => void;
  /** Whatever was said is forgotten; what will be is of the form that is sent now. */
  readonly begin: () => void;
}

/** What was said in another language than the page's is taken for unsaid. */
function useSaid(): Said {
  const { i18n } = useTranslation();
  const [said, setSaid] = useState({ language: i18n.language, fields: {} });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(said.fields).length > 0) focusFirstInvalid(form.current);
  }, [said]);
  const say = (fields: Act['fields']): void => {
    setSaid({ language: i18n.language, fields });
  };
  return {
    fields: said.language === i18n.language ? said.fields : {},
    say,
    begin: () => {
      form.current = document.activeElement?.closest('form') ?? null;
      say({});
    },
  };
}

export function useAct(): Act {
  const { t } = useTranslation();
  const me = useMe();
  const tell = useTell();
  const [busy, setBusy] = useState(false);
  const { fields, say, begin } = useSaid();

  const refuse = (error: unknown): void => {
    noticeSignedOut(error);
    if (isProblem(error)) say({ ...fieldOfCode(error), ...fieldErrors(error) });
    tell.failed(error);
  };
  const attempt = async <T>(call: () => Promise<Answer<T>>): Promise<Answer<T>> => {
    const answer = await call();
    const wantsProof = isProblem(answer.error) && answer.error.code === 'reauthentication_required';
    if (!wantsProof || !(await reauthenticate(me, t('reauthenticate.title')))) return answer;
    return call();
  };
  const find = async <T>(ask: () => Promise<T>): Promise<{ data: T } | undefined> => {
    setBusy(true);
    begin();
    try {
      return { data: await ask() };
    } catch (error) {
      refuse(error);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    fields,
    find,
    run: (call, done) =>
      find(async () => {
        const { data, error, response } = await attempt(call);
        if (!response.ok) throw error;
        if (done !== undefined) tell.done(done);
        return data;
      }),
  };
}
