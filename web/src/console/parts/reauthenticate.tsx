import { Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../../api/problem';
import type { components } from '../../api/schema';
import { withoutSpaces } from '../../shared/code';
import { requestOptionsOf } from '../../shared/passkeys';
import { api } from '../api';
import type { Me } from '../me';
import { LOGIN_WINDOW, loginAddress } from '../signed-out';
import { hasUnsaved } from '../unsaved';
import { CodeInput } from './code-input';
import { PasswordInput } from './password-input';
import type { WantedProof } from './wanted-proof';

const factors = ['totp', 'passkey', 'recovery'] as const;
type Factor = (typeof factors)[number];
type Way = 'password' | 'email' | 'sms' | Factor;

const isFactor = (way: Way): way is Factor => factors.some((factor) => factor === way);

/** Throws the problem if the user's factors cannot be loaded. */
async function waysOf(me: Me, wanted: WantedProof): Promise<Way[]> {
  const { data, error } = await api.GET('/api/auth/mfa');
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  const held = factors.filter((factor) => data.items.some(({ type }) => type === factor));
  if (wanted === 'second') return held;
  return [
    ...held.filter((factor) => factor === 'passkey'),
    ...(me.has_password ? (['password'] as const) : []),
    ...(me.email_verified ? (['email'] as const) : []),
    ...(me.phone_verified ? (['sms'] as const) : []),
  ];
}

/**
 * Returns the request body of the proof, or undefined if the user cancelled the passkey dialog. Throws the problem if
 * the passkey options cannot be loaded.
 */
async function proofOf(way: Way, text: string): Promise<components['schemas']['ReauthenticateDto'] | undefined> {
  if (way === 'password') return { password: text };
  if (!isFactor(way)) return { channel: way, code: text };
  if (way !== 'passkey') return { method: way, code: text };
  const { data, error } = await api.POST('/api/auth/reauthenticate/options');
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- the caller shows the problem
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

function ReauthenticateForm({ me, ways, onDone }: FormProps): ReactNode {
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

/** For users without a password, contact or passkey: a new login counts as a proof. */
function LogInAgain(): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack>
      <Text size="sm">{t('reauthenticate.no_way')}</Text>
      <Button component="a" href={loginAddress()} {...(hasUnsaved() && { target: LOGIN_WINDOW })}>
        {t('reauthenticate.log_in_again')}
      </Button>
    </Stack>
  );
}

/** Lets the user reauthenticate in a dialog. Resolves to false if the user closes it. */
export async function reauthenticate(me: Me, title: string, wanted: WantedProof): Promise<boolean> {
  const ways = await waysOf(me, wanted);
  return new Promise((resolve) => {
    let proven = false;
    const id = modals.open({
      title,
      children:
        ways.length === 0 ? (
          <LogInAgain />
        ) : (
          <ReauthenticateForm
            me={me}
            ways={ways}
            onDone={() => {
              proven = true;
              modals.close(id);
            }}
          />
        ),
      onClose: () => {
        resolve(proven);
      },
    });
  });
}
