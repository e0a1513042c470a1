import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import type { Info } from '../../shared/info';
import type { Submission } from '../use-submit';
import { CodeField } from '../../ui-basic/code-field';
import { Check, Failure, Field, PasswordInput } from '../../ui-basic/fields';
import { Form } from './form';

type Schemas = components['schemas'];

export type LoginBody = Schemas['PasswordLoginDto' | 'EmailLoginDto' | 'SmsLoginDto' | 'PasskeyLoginDto'];

interface MethodProps {
  /** What the user has entered already. */
  readonly identifier: string;
  readonly submission: Submission;
  readonly onLogin: (body: LoginBody) => void;
}

/** Login methods with text inputs, in the order of their tabs. */
const typedMethods = ['password', 'email', 'sms'] as const;
type TypedMethod = (typeof typedMethods)[number];

function PasswordForm({ identifier, submission, onLogin }: MethodProps): ReactNode {
  const { t } = useTranslation();
  const [username, setUsername] = useState(identifier);
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(true);
  return (
    <Form
      submission={submission}
      action={t('login.submit')}
      onSubmit={() => {
        onLogin({ type: 'password', username: username.trim(), password, remember });
      }}
    >
      <Field
        label={t('login.identifier')}
        value={username}
        onChange={setUsername}
        error={submission.fields['username']}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={identifier === ''}
      />
      <PasswordInput
        label={t('login.password')}
        value={password}
        onChange={setPassword}
        error={submission.fields['password']}
        autoComplete="current-password"
        autoFocus={identifier !== ''}
      />
      <Check label={t('login.remember')} checked={remember} onChange={setRemember} />
    </Form>
  );
}

function CodeForm({
  channel,
  identifier,
  submission,
  onLogin,
}: MethodProps & { readonly channel: 'email' | 'sms' }): ReactNode {
  const { t } = useTranslation();
  const [target, setTarget] = useState(channel === 'email' && identifier.includes('@') ? identifier : '');
  const [code, setCode] = useState('');
  const [remember, setRemember] = useState(true);
  const name = channel === 'sms' ? 'phone' : 'email';
  return (
    <Form
      submission={submission}
      action={t('login.submit')}
      onSubmit={() => {
        const proof = { code, remember };
        onLogin(
          channel === 'sms'
            ? { type: 'sms', phone: target.trim(), ...proof }
            : { type: 'email', email: target.trim(), ...proof },
        );
      }}
    >
      <Field
        label={t(`contact.${name}`)}
        value={target}
        onChange={setTarget}
        error={submission.fields[name]}
        type={channel === 'sms' ? 'tel' : 'email'}
        autoComplete={channel === 'sms' ? 'tel' : 'email'}
      />
      <CodeField
        purpose="login"
        channel={channel}
        target={target}
        value={code}
        onChange={setCode}
        error={submission.fields['code']}
      />
      <Check label={t('login.remember')} checked={remember} onChange={setRemember} />
    </Form>
  );
}

function MethodForm({ method, ...props }: MethodProps & { readonly method: TypedMethod }): ReactNode {
  return method === 'password' ? <PasswordForm {...props} /> : <CodeForm channel={method} {...props} />;
}

interface LoginFormsProps extends MethodProps {
  readonly info: Info;
}

/** Shows the enabled methods as tabs (WAI-ARIA APG), and a single method without tabs. */
export function LoginForms({ info, ...props }: LoginFormsProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const { submission } = props;
  const enabled = new Set(info.login_methods.filter((method) => method.enabled).map(({ type }) => type));
  const methods = typedMethods.filter((type) => enabled.has(type));
  const [chosen, setChosen] = useState<TypedMethod>(methods[0] ?? 'password');
  if (methods.length === 0) return <Failure messageCount={submission.messageCount}>{submission.failure}</Failure>;
  const form = <MethodForm key={chosen} method={chosen} {...props} />;
  if (methods.length === 1) return form;

  const choose = (method: TypedMethod): void => {
    submission.clear();
    setChosen(method);
  };
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = methods[(methods.indexOf(chosen) + step + methods.length) % methods.length];
    if (!next) return;
    choose(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={t('login.methods')} className="tabs" onKeyDown={move}>
        {methods.map((method) => (
          <button
            key={method}
            id={`${id}-${method}`}
            type="button"
            role="tab"
            aria-selected={method === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={method === chosen ? 0 : -1}
            onClick={() => {
              choose(method);
            }}
          >
            {t(`login.method.${method}`)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {form}
      </div>
    </>
  );
}
