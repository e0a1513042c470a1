import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors, isProblem, sentenceOf, type Problem } from '../../api/problem';
import { pageLanguage } from '../../shared/language';
import { useSaid } from '../../shared/use-said';
import { useMe } from '../me';
import { noticeSignedOut } from '../query-client';
import { reauthenticate, wantedProof, type WantedProof } from './reauthenticate';
import { useTell } from './use-tell';

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

type Fields = Readonly<Record<string, string>>;

export interface Act {
  readonly busy: boolean;
  /** Whether nothing came of the last one. */
  readonly refused: boolean;
  /** The problem of each field of the last refusal. */
  readonly fields: Fields;
  /** Tells a problem of fields that the service need not be asked about. */
  say(fields: Fields): void;
  /**
   * Changes something, asking for a fresh proof of identity where the service wants one; undefined when it was refused,
   * which the person is told.
   */
  run<T>(call: () => Promise<Answer<T>>, done?: string): Promise<{ data: T | undefined } | undefined>;
  /** Asks what takes several calls, in the same way; `ask` throws what it was refused with. */
  find<T>(ask: () => Promise<T>): Promise<{ data: T } | undefined>;
}

const nothing: Fields = {};

const fieldByCode: Fields = { password_incorrect: 'current_password', code_invalid: 'code' };

/** `name_taken` and its like are about one field, and say so by their code. */
function fieldOfCode(problem: Problem): Fields {
  const [, taken] = /^(\w+)_taken$/.exec(problem.code) ?? [];
  const field = taken ?? fieldByCode[problem.code];
  return field === undefined ? nothing : { [field]: sentenceOf(problem) };
}

/** Calls again with what the service wants proved: the first factor, and then perhaps the second. */
async function withProof<T>(
  call: () => Promise<Answer<T>>,
  prove: (wanted: WantedProof) => Promise<boolean>,
): Promise<Answer<T>> {
  const answer = await call();
  const wanted = wantedProof(answer.error);
  if (!wanted || !(await prove(wanted))) return answer;
  const again = await call();
  if (wanted === 'second' || wantedProof(again.error) !== 'second') return again;
  return (await prove('second')) ? call() : again;
}

export function useAct(): Act {
  const { t } = useTranslation();
  const me = useMe();
  const tell = useTell();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState(false);
  const { said: fields, say } = useSaid(nothing);

  const refuse = (error: unknown, language: string): void => {
    noticeSignedOut(error);
    setRefused(true);
    if (isProblem(error)) say({ ...fieldOfCode(error), ...fieldErrors(error) }, language);
    tell.failed(error);
  };
  const attempt = <T>(call: () => Promise<Answer<T>>): Promise<Answer<T>> =>
    withProof(call, (wanted) => reauthenticate(me, t('reauthenticate.title'), wanted));
  const find = async <T>(ask: () => Promise<T>): Promise<{ data: T } | undefined> => {
    const language = pageLanguage();
    setBusy(true);
    setRefused(false);
    say(nothing, language);
    try {
      return { data: await ask() };
    } catch (error) {
      refuse(error, language);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    refused,
    fields,
    say,
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
