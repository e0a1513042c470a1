import { useEffect, useState, type ReactNode } from 'react';
import { useCode } from '../index';
import { Field } from './field';
import type { Texts } from './texts';

interface CodeFieldProps {
  readonly purpose: 'register' | 'login' | 'reset_password';
  readonly channel: 'email' | 'sms';
  readonly t: Texts;
  readonly targetName: string;
  readonly codeName: string;
  readonly targetError?: string | undefined;
  readonly codeError?: string | undefined;
}

/** Counts down by the clock, so that it stays right while the page sleeps. */
function useCountdown(): [left: number, start: (seconds: number) => void] {
  const [end, setEnd] = useState(0);
  const [left, setLeft] = useState(0);
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => {
      setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1_000)));
    }, 1_000);
    return () => {
      clearInterval(timer);
    };
  }, [isRunning, end]);
  const start = (seconds: number): void => {
    setEnd(Date.now() + seconds * 1_000);
    setLeft(seconds);
  };
  return [left, start];
}

/** A contact, and the code that is sent to it. */
export function CodeField({
  purpose,
  channel,
  t,
  targetName,
  codeName,
  targetError,
  codeError,
}: CodeFieldProps): ReactNode {
  const { sendCode, isPending, problem } = useCode();
  const [typed, setTyped] = useState('');
  const target = typed.trim();
  const [sentTo, setSentTo] = useState<string>();
  const [left, countDown] = useCountdown();
  const send = async (): Promise<void> => {
    setSentTo(undefined);
    const sent = await sendCode({ purpose, channel, target });
    if (!sent) return;
    setSentTo(target);
    countDown(sent.resend_after);
  };
  return (
    <>
      <Field
        name={targetName}
        label={t(channel === 'sms' ? 'phone' : 'email')}
        type={channel === 'sms' ? 'tel' : 'email'}
        autoComplete={channel === 'sms' ? 'tel' : 'email'}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
        }}
        error={targetError}
      />
      <button type="button" disabled={isPending || left > 0 || target === ''} onClick={() => void send()}>
        {left > 0 ? t('code_again', { seconds: left }) : t('send_code')}
      </button>
      <p role="status">
        {problem ? problem.detail || problem.title || t('unreachable') : sentTo && t('code_sent', { target: sentTo })}
      </p>
      <Field name={codeName} label={t('code')} inputMode="numeric" autoComplete="one-time-code" error={codeError} />
    </>
  );
}
