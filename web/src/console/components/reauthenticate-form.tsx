import { Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { withoutSpaces } from '../../shared/code';
import type { Me } from '../../session/me';
import type { Way } from '../../session/proofs';
import { useProof } from '../../session/use-proof';
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
  const proof = useProof({ ways, onDone, unreachable: t('page.unreachable') });
  return (
    <form
      ref={proof.form}
      onSubmit={(event) => {
        event.preventDefault();
        void proof.send();
      }}
    >
      <Stack>
        <Text size="sm">{t('reauthenticate.why')}</Text>
        {ways.length > 1 && (
          <SegmentedControl
            aria-label={t('reauthenticate.way')}
            value={proof.way}
            data={ways.map((value) => ({ value, label: t(`reauthenticate.by_${value}`) }))}
            onChange={(value) => {
              proof.choose(value);
            }}
          />
        )}
        <ProofInput me={me} way={proof.way} text={proof.text} failure={proof.failure} onChange={proof.setText} />
        <Button type="submit" loading={proof.busy}>
          {t('act.confirm')}
        </Button>
      </Stack>
    </form>
  );
}
