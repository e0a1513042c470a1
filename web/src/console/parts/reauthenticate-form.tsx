import { Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../../api/problem';
import type { components } from '../../api/schema';
import { withoutSpaces } from '../../shared/code';
import { requestOptionsOf } from '../../shared/passkeys';
import { api } from '../api';
import type { Me } from '../me';
import { CodeInput } from './code-input';
import { PasswordInput } from './password-input';

/** A way to prove who the user is. */
export type Way = 'password' | 'email' | 'sms' | 'totp' | 'passkey' | 'recovery';

/**
 * Returns the request body of the proof, or undefined if the user cancelled the passkey dialog. Throws the problem if
 * the passkey options cannot be loaded.
 */
async function proofOf(way: Way, text: string): Promise<components['schemas']['ReauthenticateDto'] | undefined> {
  if (way === 'password') return { password: text };
  if (way === 'email' || way === 'sms') return { channel: way, code: text };
  if (way !== 'passkey') return { method: way, code: text };
  const { data, error } = await api.POST('/api/auth/reauthenticate/options');
  // oxlint-disable-next-line typescript/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const response = await startAuthentication({ optionsJSON: requestOptionsOf(data) }).catch(() => undefined);
  return response && { method: way, response: { ...response } };
}

interface ProofInputProps {
  readonly me: Me;
  readonly way: Way;
  readonly text: string;
  readonly failure: string | undefined;
  readonly onChange: (text: string) => void;
}

function ProofInput({ me, way, text, failure, onChange }: ProofInputProps): ReactNode {
  const { t } = useTranslation();
  switch (way) {
    case 'password':
      return (
        <PasswordInput
          data-autofocus
          label={t('field.password')}
          value={text}
          error={failure}
          autoComplete="current-password"
          onChange={(event) => {
            onChange(event.currentTarget.value);
          }}
        />
      );
    case 'totp':
    case 'recovery':
      return (
        <TextInput
          data-autofocus
          label={t(`reauthenticate.code_${way}`)}
          value={text}
          error={failure}
          inputMode={way === 'totp' ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          onChange={(event) => {
            onChange(withoutSpaces(event.currentTarget.value));
          }}
        />
      );
    case 'passkey':
      return (
        <Text size="sm" role="status" className={failure && 'danger'}>
          {failure ?? t('reauthenticate.use_passkey')}
        </Text>
      );
    case 'email':
    case 'sms':
      return (
        <CodeInput
          purpose="login"
          channel={way}
          target={(way === 'sms' ? me.phone : me.email) ?? ''}
          value={text}
          error={failure}
          onChange={onChange}
        />
      );
  }
}

interface FormProps {
  readonly me: Me;
  readonly ways: readonly Way[];
  readonly onDone: () => void;
}

/** The dialog's form. The user chooses one of the ways to prove who they are. */
export function ReauthenticateForm({ me, ways, onDone }: FormProps): ReactNode {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way>(ways[0] ?? 'password');
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);

  const messageOf = (error: unknown): string => (isProblem(error) ? sentenceOf(error) : t('page.unreachable'));
  /** Returns the error text, or undefined on success. */
  const failureOf = async (): Promise<string | undefined> => {
    try {
      const body = await proofOf(way, text);
      if (!body) return t('reauthenticate.no_passkey');
      const { error, response } = await api.POST('/api/auth/reauthenticate', { body });
      return response.ok ? undefined : messageOf(error);
    } catch (error) {
      return messageOf(error);
    }
  };
  const prove = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const why = await failureOf();
    setBusy(false);
    setFailure(why);
    if (why === undefined) onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void prove();
      }}
    >
      <Stack>
        <Text size="sm">{t('reauthenticate.why')}</Text>
        {ways.length > 1 && (
          <SegmentedControl
            aria-label={t('reauthenticate.way')}
            value={way}
            data={ways.map((value) => ({ value, label: t(`reauthenticate.by_${value}`) }))}
            onChange={(value) => {
              setWay(value);
              setText('');
              setFailure(undefined);
            }}
          />
        )}
        <ProofInput {...{ me, way, text, failure }} onChange={setText} />
        <Button type="submit" loading={busy}>
          {t('act.confirm')}
        </Button>
      </Stack>
    </form>
  );
}
