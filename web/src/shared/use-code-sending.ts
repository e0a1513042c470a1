import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client';
import { isProblem, sentenceOf } from '../api/problem';
import type { components } from '../api/schema';
import { pageLanguage } from './language';

const SECOND_MS = 1_000;
const MINUTE_S = 60;
/** Maximum time in seconds to disable the button, even for a longer Retry-After. */
const MAX_WAIT_S = 600;

/** Counts down by the clock, so that it stays right while the page sleeps. */
function useCountdown(): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0);
  const [end, setEnd] = useState(0);
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      setLeft(Math.max(0, Math.ceil((end - Date.now()) / SECOND_MS)));
    }, SECOND_MS);
    return () => {
      clearInterval(timer);
    };
  }, [running, end]);
  const countDown = (seconds: number): void => {
    setEnd(Date.now() + seconds * SECOND_MS);
    setLeft(seconds);
  };
  return [left, countDown];
}

export interface CodeSending {
  readonly busy: boolean;
  /** Seconds until the next sending. */
  readonly left: number;
  /** Outcome of the last sending in the page's language. Undefined if the error message is in another language. */
  readonly notice: { readonly text: string; readonly failed: boolean } | undefined;
  readonly send: () => Promise<void>;
}

type Outcome =
  | { readonly kind: 'sent'; readonly target: string; readonly minutes: number }
  | { readonly kind: 'rejected'; readonly why: string; readonly language: string }
  | { readonly kind: 'unreachable' };

/**
 * Sends a code and counts down to the next sending.
 *
 * @param unreachable message if the service cannot be reached.
 */
export function useCodeSending(body: components['schemas']['CodeRequestDto'], unreachable: string): CodeSending {
  const { t, i18n } = useTranslation();
  const [left, countDown] = useCountdown();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();

  const send = async (): Promise<void> => {
    const language = pageLanguage();
    setBusy(true);
    try {
      const { data, error, response } = await api.POST('/api/auth/codes', { body });
      if (data) {
        countDown(data.resend_after);
        const minutes = Math.max(1, Math.floor(data.expires_in / MINUTE_S));
        setOutcome({ kind: 'sent', target: body.target, minutes });
        return;
      }
      countDown(Math.min(Number(response.headers.get('retry-after') ?? 0), MAX_WAIT_S));
      setOutcome(isProblem(error) ? { kind: 'rejected', why: sentenceOf(error), language } : { kind: 'unreachable' });
    } catch {
      setOutcome({ kind: 'unreachable' });
    } finally {
      setBusy(false);
    }
  };
  const outcomeMessage = (): CodeSending['notice'] => {
    if (outcome?.kind === 'sent') return { text: t('code.sent', { ...outcome }), failed: false };
    if (outcome?.kind === 'unreachable') return { text: unreachable, failed: true };
    return outcome?.language === i18n.language ? { text: outcome.why, failed: true } : undefined;
  };
  return { busy, left, notice: outcomeMessage(), send };
}
