import type { User } from 'castellan-client';
import type { ReactNode } from 'react';
import { useRegister, useTerms } from '../index';
import { CodeField } from './code-field';
import { Field } from './field';
import { fieldError, type FormProps, Frame } from './form';
import { TermsBox } from './terms-box';
import { useTexts } from './texts';

export interface RegisterFormProps extends FormProps {
  /** Receives the new user, who is not logged in yet. */
  readonly onRegistered?: (user: User) => void;
  /** A contact that the user proves by a code. */
  readonly contact?: 'email' | 'phone';
}

/** Registers an account, and asks for agreement to the terms if the service requires it. */
export function RegisterForm({ onRegistered, contact, language, className, children }: RegisterFormProps): ReactNode {
  const t = useTexts(language);
  const { register, ...state } = useRegister();
  const terms = useTerms(state.problem);
  const errorOf = (name: string): string | undefined => fieldError(state.problem, name);
  // The box is not there yet, or cannot be loaded.
  const missingTerms = state.problem?.errors?.find(({ code }) => code === 'terms_required')?.detail;
  const submit = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    const { username = '', password = '', ...proved } = fields;
    const user = await register({ username, password, ...proved });
    if (user) onRegistered?.(user);
  };
  return (
    <>
      <Frame
        {...{ state, t, className }}
        action={t('register')}
        failure={terms?.isRequired ? undefined : missingTerms}
        onSubmit={(fields) => void submit(fields)}
      >
        <Field
          name="username"
          label={t('new_username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errorOf('username')}
        />
        <Field
          name="password"
          label={t('password')}
          type="password"
          autoComplete="new-password"
          error={errorOf('password')}
        />
        {contact && (
          <CodeField
            purpose="register"
            channel={contact === 'phone' ? 'sms' : 'email'}
            t={t}
            targetName={contact}
            codeName={`${contact}_code`}
            targetError={errorOf(contact)}
            codeError={errorOf(`${contact}_code`) ?? errorOf('code')}
          />
        )}
        {terms?.isRequired && <TermsBox key={terms.version} {...{ terms, t }} error={errorOf('terms_accepted')} />}
      </Frame>
      {children}
    </>
  );
}
