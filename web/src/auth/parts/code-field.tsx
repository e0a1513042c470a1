import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { isProblem, sentenceOf } from '../../api/problem';
import { Field } from './fields';

export type Channel = 'email' | 'sms';
type Purpose = 'register' | 'login' | 'reset_password' | 'bind';

interface CodeFieldProps {
  readonly purpose: Purpose;
  readonly channel: Channel;
  readonly target: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
}

const SECOND_MS = 1_000;

function useCountdown(): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0);
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      setLeft((seconds) => seconds - 1);
    }, SECOND_MS);
    return () => {
      clearInterval(timer);
    };
  }, [running]);
  return [left, setLeft];
}

/** Asks for a code to be sent, counts down to the next sending, and takes the code. */
export function CodeField({ purpose, channel, target, value, onChange, error }: CodeFieldProps): ReactNode {
  const { t } = useTranslation();
  const [left, countDown] = useCountdown();
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState<{ text: string; failed: boolean }>();

  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      const {
        data,
        error: refusal,
        response,
      } = await api.POST('/api/auth/codes', { body: { purpose, channel, target } });
      if (data) {
        countDown(data.resend_after);
        setTold({ text: t('code.sent', { target, minutes: Math.round(data.expires_in / 60) }), failed: false });
        return;
      }
      countDown(Math.min(Number(response.headers.get('retry-after') ?? 0), 600));
      setTold({ text: isProblem(refusal) ? sentenceOf(refusal) : t('form.unreachable'), failed: true });
    } catch {
      setTold({ text: t('form.unreachable'), failed: true });
    } finally {
      setBusy(false);
    }
  };

  const button = (
    <button type="button" className="quiet" disabled={busy || left > 0 || target === ''} onClick={() => void send()}>
      {left > 0 ? t('code.again_in', { seconds: left }) : t('code.send')}
    </button>
  );
  return (
    <div>
      <Field
        label={t('code.label')}
        value={value}
        onChange={onChange}
        error={error ?? (told?.failed ? told.text : undefined)}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
        aside={button}
      />
      <p className="hint" role="status">
        {told && !told.failed ? told.text : ''}
      </p>
    </div>
  );
}
