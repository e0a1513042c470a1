import type { Problem } from 'castellan-client';
import type { ReactNode } from 'react';
import type { LoginBody } from '../index';
import { CodeField } from './code-field';
import { Check, Field } from './field';
import { fieldError } from './form';
import type { Texts } from './texts';

/** Login methods with text inputs, in the order of their tabs. */
export const TYPED_METHODS = ['password', 'email', 'sms'] as const;

/** A login method of `LoginForm`. */
export type TypedMethod = (typeof TYPED_METHODS)[number];

interface LoginFieldsProps {
  readonly method: TypedMethod;
  readonly problem: Problem | undefined;
  readonly t: Texts;
}

/** The body that logs in with the submitted fields. */
export function loginBody(method: TypedMethod, fields: Readonly<Record<string, string>>): LoginBody {
  const remember = fields['remember'] === 'on';
  const { username = '', password = '', email = '', phone = '' } = fields;
  const proof = { code: fields['code']?.trim() ?? '', remember };
  if (method === 'email') return { type: 'email', email: email.trim(), ...proof };
  if (method === 'sms') return { type: 'sms', phone: phone.trim(), ...proof };
  return { type: 'password', username: username.trim(), password, remember };
}

function PasswordFields({ problem, t }: Omit<LoginFieldsProps, 'method'>): ReactNode {
  return (
    <>
      <Field
        name="username"
        label={t('username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={fieldError(problem, 'username')}
      />
      <Field
        name="password"
        label={t('password')}
        type="password"
        autoComplete="current-password"
        error={fieldError(problem, 'password')}
      />
    </>
  );
}

/** The fields of a login method. */
export function LoginFields({ method, problem, t }: LoginFieldsProps): ReactNode {
  const contact = method === 'sms' ? 'phone' : 'email';
  return (
    <>
      {method === 'password' ? (
        <PasswordFields {...{ problem, t }} />
      ) : (
        <CodeField
          key={method}
          purpose="login"
          channel={method}
          t={t}
          targetName={contact}
          codeName="code"
          targetError={fieldError(problem, contact)}
          codeError={fieldError(problem, 'code')}
        />
      )}
      <Check name="remember" label={t('remember')} defaultChecked />
    </>
  );
}
