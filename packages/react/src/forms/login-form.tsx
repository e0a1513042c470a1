import { useState, type ReactNode } from 'react';
import { type LoginBody, useLogin, useLoginMethods, usePasskeyLogin } from '../index';
import { type FormProps, Frame } from './form';
import { LoginFields, loginBody, TYPED_METHODS, type TypedMethod } from './login-fields';
import { SecondFactorForm } from './second-factor-form';
import { Tabs } from './tabs';
import { useTexts } from './texts';

export interface LoginFormProps extends FormProps {
  readonly onLoggedIn?: () => void;
  /** Default: those that the service has enabled. */
  readonly methods?: readonly TypedMethod[];
  /** Whether to offer passkeys. The page must have the domain of the service's passkeys. */
  readonly passkeys?: boolean;
}

/** The password, until the service has answered, and where it has none of the methods. */
function enabledMethods(types: readonly string[] | undefined): readonly TypedMethod[] {
  const enabled = TYPED_METHODS.filter((method) => types?.includes(method));
  return enabled.length > 0 ? enabled : ['password'];
}

function EnabledLoginForm(props: LoginFormProps): ReactNode {
  return <ChosenLoginForm {...props} methods={enabledMethods(useLoginMethods())} />;
}

function ChosenLoginForm({
  onLoggedIn,
  methods = [],
  passkeys = false,
  language,
  className,
  children,
}: LoginFormProps): ReactNode {
  const t = useTexts(language);
  const login = useLogin();
  const passkey = usePasskeyLogin();
  const [chosen, setChosen] = useState<TypedMethod>();
  const method = methods.find((one) => one === chosen) ?? methods[0] ?? 'password';
  const logIn = async (body: LoginBody): Promise<void> => {
    if ((await login.logIn(body)) === 'logged_in') onLoggedIn?.();
  };
  const logInByPasskey = async (): Promise<void> => {
    if ((await passkey.logIn()) === 'logged_in') onLoggedIn?.();
  };
  const { challenge, startAgain } = login;
  if (challenge) {
    return <SecondFactorForm {...{ challenge, onLoggedIn, language, className }} onStartAgain={startAgain} />;
  }
  const state = { isPending: login.isPending || passkey.isPending, problem: login.problem ?? passkey.problem };
  const choose = (next: TypedMethod): void => {
    // The answer belongs to the fields that were sent.
    if (state.isPending) return;
    startAgain();
    passkey.startAgain();
    setChosen(next);
  };
  return (
    <>
      <Tabs label={t('methods')} names={methods} chosen={method} nameOf={(name) => t(`by_${name}`)} onChoose={choose}>
        <Frame
          {...{ state, t, className }}
          action={t('log_in')}
          failure={passkey.isCancelled ? t('cancelled') : undefined}
          onSubmit={(fields) => void logIn(loginBody(method, fields))}
        >
          <LoginFields {...{ method, t }} problem={state.problem} />
        </Frame>
      </Tabs>
      {passkeys && (
        <button type="button" onClick={() => void logInByPasskey()}>
          {t('log_in_passkey')}
        </button>
      )}
      {children}
    </>
  );
}

/** Logs in by password, by a code or by passkey, and asks for the second factor if one is needed. */
export function LoginForm(props: LoginFormProps): ReactNode {
  return props.methods ? <ChosenLoginForm {...props} /> : <EnabledLoginForm {...props} />;
}
