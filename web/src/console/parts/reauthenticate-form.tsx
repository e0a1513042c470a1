import { Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../../api/problem';
import { withoutSpaces } from '../../shared/code';
import { useInvalidFocus } from '../../shared/first-invalid';
import type { Me } from '../../signed-in/me';
import { prove, type Way } from '../../signed-in/proofs';
import { CodeInput } from './code-input';
import { PasswordInput } from './password-input';

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
  const form = useInvalidFocus(failure);

  const messageOf = (error: unknown): string => (isProblem(error) ? sentenceOf(error) : t('page.unreachable'));
  const send = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const outcome = await prove(way, text);
    setBusy(false);
    if (outcome === 'proven') onDone();
    else setFailure(outcome === 'no_passkey' ? t('reauthenticate.no_passkey') : messageOf(outcome.error));
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
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
