import { useState, type ReactNode } from 'react';
import { type Challenge, usePasskeySecondFactor, useSecondFactor } from '../index';
import { Check, Field } from './field';
import { fieldError, type FormProps, Frame } from './form';
import { useTexts } from './texts';

export interface SecondFactorFormProps extends FormProps {
  /** Of `useLogin`. */
  readonly challenge: Challenge;
  readonly onLoggedIn?: () => void;
  /** Offers to begin the login again. */
  readonly onStartAgain?: () => void;
}

type Method = Challenge['methods'][number];
type Typed = Exclude<Method, 'passkey'>;

const isTyped = (method: Method): method is Typed => method !== 'passkey';

/** Asks for the second factor of a login. */
export function SecondFactorForm({
  challenge,
  onLoggedIn,
  onStartAgain,
  language,
  className,
  children,
}: SecondFactorFormProps): ReactNode {
  const t = useTexts(language);
  const login = useSecondFactor(challenge);
  const passkey = usePasskeySecondFactor(challenge);
  const typed = challenge.methods.filter(isTyped);
  const [method, setMethod] = useState<Typed>(typed[0] ?? 'totp');
  const prove = async (proof: Parameters<typeof login.prove>[0]): Promise<void> => {
    if (await login.prove(proof)) onLoggedIn?.();
  };
  const provePasskey = async (): Promise<void> => {
    const proof = await passkey.choose();
    if (proof) await prove(proof);
  };
  const state = { isPending: login.isPending || passkey.isPending, problem: login.problem ?? passkey.problem };
  return (
    <>
      <Frame
        {...{ state, t, className }}
        action={t('confirm')}
        failure={passkey.isCancelled ? t('cancelled') : undefined}
        onSubmit={({ code = '', trust_device: trust }) =>
          void prove({ method, code: code.trim(), trust_device: trust === 'on' })
        }
      >
        <Field
          key={method}
          name="code"
          label={t(method)}
          inputMode={method === 'totp' ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          error={fieldError(state.problem, 'code')}
        />
        <Check name="trust_device" label={t('trust_device')} />
      </Frame>
      {challenge.methods.includes('passkey') && (
        <button type="button" onClick={() => void provePasskey()}>
          {t('passkey')}
        </button>
      )}
      {typed
        .filter((other) => other !== method)
        .map((other) => (
          <button
            key={other}
            type="button"
            onClick={() => {
              setMethod(other);
            }}
          >
            {t(`use_${other}`)}
          </button>
        ))}
      {onStartAgain && (
        <button type="button" onClick={onStartAgain}>
          {t('start_again')}
        </button>
      )}
      {children}
    </>
  );
}
