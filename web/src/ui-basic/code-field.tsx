import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { withoutSpaces } from '../shared/code';
import { useCodeSending } from '../shared/use-code-sending';
import { Field } from './fields';

export type Channel = 'email' | 'sms';
type Purpose = 'register' | 'login' | 'reset_password' | 'bind';

/** Eight digits, plus pasted spaces. */
const MAX_TYPED = 20;

interface CodeFieldProps {
  readonly purpose: Purpose;
  readonly channel: Channel;
  readonly target: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
}

/** Sends a code, counts down to the next sending, and holds the code that the user types. */
export function CodeField({ purpose, channel, target, value, onChange, error }: CodeFieldProps): ReactNode {
  const { t } = useTranslation();
  const { busy, left, notice, send } = useCodeSending(
    { purpose, channel, target: target.trim() },
    t('form.unreachable'),
  );
  const button = (
    <button
      type="button"
      className="quiet"
      disabled={busy || left > 0 || target.trim() === ''}
      onClick={() => void send()}
    >
      {left > 0 ? t('code.again_in', { seconds: left }) : t('code.send')}
    </button>
  );
  return (
    <div>
      <Field
        label={t('code.label')}
        value={value}
        onChange={(text) => {
          onChange(withoutSpaces(text));
        }}
        error={error}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={MAX_TYPED}
        aside={button}
      />
      <p className={notice?.failed ? 'error' : 'hint'} role="status">
        {notice?.text ?? ''}
      </p>
    </div>
  );
}
