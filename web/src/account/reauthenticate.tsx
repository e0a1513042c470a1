import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeField } from '../ui-basic/code-field';
import { Field, PasswordInput, Submit } from '../ui-basic/fields';
import { withoutSpaces } from '../shared/code';
import type { Me } from '../session/me';
import { waysOf, type Way } from '../session/proofs';
import { LOGIN_WINDOW, loginAddress } from '../session/session-end';
import { hasUnsaved } from '../session/unsaved';
import { useProof } from '../session/use-proof';
import type { WantedProof } from '../session/wanted-proof';
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
  const proof = useProof({ ways, onDone, unreachable: t('form.unreachable') });
  return (
    <form
      ref={proof.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!proof.busy) void proof.send();
      }}
    >
      <p>{t('reauthenticate.why')}</p>
      <Ways ways={ways} chosen={proof.way} onChoose={proof.choose} />
      <ProofInput me={me} way={proof.way} text={proof.text} failure={proof.failure} onChange={proof.setText} />
      <Submit busy={proof.busy}>{t('act.confirm')}</Submit>
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
