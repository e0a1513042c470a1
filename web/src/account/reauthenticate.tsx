import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../api/problem';
import { CodeField } from '../light/code-field';
import { Field, PasswordInput, Submit } from '../light/fields';
import { withoutSpaces } from '../shared/code';
import { useInvalidFocus } from '../shared/first-invalid';
import type { Me } from '../signed-in/me';
import { prove, waysOf, type Way } from '../signed-in/proofs';
import { LOGIN_WINDOW, loginAddress } from '../signed-in/session-end';
import { hasUnsaved } from '../signed-in/unsaved';
import type { WantedProof } from '../signed-in/wanted-proof';
import { openDialog } from './dialogs';

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
          onChange={onChange}
        />
      );
    case 'totp':
    case 'recovery':
      return (
        <Field
          data-autofocus
          label={t(`reauthenticate.code_${way}`)}
          value={text}
          error={failure}
          inputMode={way === 'totp' ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          onChange={(typed) => {
            onChange(withoutSpaces(typed));
          }}
        />
      );
    case 'passkey':
      return (
        <p role="status" className={failure ? 'error' : 'hint'}>
          {failure ?? t('reauthenticate.use_passkey')}
        </p>
      );
    case 'email':
    case 'sms':
      return (
        <CodeField
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

interface WaysProps {
  readonly ways: readonly Way[];
  readonly chosen: Way;
  readonly onChoose: (way: Way) => void;
}

function Ways({ ways, chosen, onChoose }: WaysProps): ReactNode {
  const { t } = useTranslation();
  if (ways.length < 2) return null;
  return (
    <fieldset className="choice">
      <legend>{t('reauthenticate.way')}</legend>
      {ways.map((way) => (
        <label key={way} className="check">
          <input
            type="radio"
            name="way"
            checked={way === chosen}
            onChange={() => {
              onChoose(way);
            }}
          />
          {t(`reauthenticate.by_${way}`)}
        </label>
      ))}
    </fieldset>
  );
}

interface ProofFormProps {
  readonly me: Me;
  readonly ways: readonly Way[];
  readonly onDone: () => void;
}

/** The dialog's form. The user chooses one of the ways to prove who they are. */
function ProofForm({ me, ways, onDone }: ProofFormProps): ReactNode {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way>(ways[0] ?? 'password');
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const form = useInvalidFocus(failure);
  const messageOf = (error: unknown): string => (isProblem(error) ? sentenceOf(error) : t('form.unreachable'));
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
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void send();
      }}
    >
      <p>{t('reauthenticate.why')}</p>
      <Ways
        ways={ways}
        chosen={way}
        onChoose={(other) => {
          setWay(other);
          setText('');
          setFailure(undefined);
        }}
      />
      <ProofInput {...{ me, way, text, failure }} onChange={setText} />
      <Submit busy={busy}>{t('act.confirm')}</Submit>
    </form>
  );
}

/** For users without a password, contact or passkey: a new login counts as a proof. */
function LogInAgain(): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <p>{t('reauthenticate.no_way')}</p>
      <a className="primary" href={loginAddress()} {...(hasUnsaved() && { target: LOGIN_WINDOW })}>
        {t('reauthenticate.log_in_again')}
      </a>
    </>
  );
}

/** Lets the user reauthenticate in a dialog. Resolves to false if the user closes it. */
export async function reauthenticate(me: Me, title: string, wanted: WantedProof): Promise<boolean> {
  const ways = await waysOf(me, wanted);
  return new Promise((resolve) => {
    let isProven = false;
    const finish = (): void => {
      isProven = true;
      close();
    };
    const close = openDialog({
      title,
      content: ways.length === 0 ? <LogInAgain /> : <ProofForm me={me} ways={ways} onDone={finish} />,
      onClose: () => {
        resolve(isProven);
      },
    });
  });
}
