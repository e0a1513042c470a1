import type { components, User } from 'castellan-client';
import type { ReactNode } from 'react';
import { useInfo, useRegister, useTerms } from '../index';
import { AttributeField, attributeFieldName, attributesOf, type Attribute } from './attribute-field';
import { CodeField } from './code-field';
import { Field } from './field';
import { fieldError, type FormProps, Frame } from './form';
import { TermsBox } from './terms-box';
import { useLanguage, useTexts } from './texts';

type Contact = 'email' | 'phone';

const CONTACTS: readonly Contact[] = ['email', 'phone'];

export interface RegisterFormProps extends FormProps {
  /** Receives the new user, who is not logged in yet. */
  readonly onRegistered?: (user: User) => void;
  /** A contact that the user proves by a code. Contacts that the service requires are shown, too. */
  readonly contact?: Contact;
}

type Requirements = components['schemas']['InfoDto']['registration'];

/** The contacts to ask for: the chosen one, and those that the service requires. */
function contactsOf(chosen: Contact | undefined, registration: Requirements | undefined): readonly Contact[] {
  const wanted = registration?.contact_required ?? 'none';
  const needsCode = { email: registration?.email_code_required, phone: registration?.phone_code_required };
  return CONTACTS.filter((name) => {
    const isRequired = needsCode[name] || [name, 'either', 'both'].includes(wanted);
    return isRequired || name === chosen;
  });
}

const NO_ATTRIBUTES: readonly Attribute[] = [];

/** Registers an account, and asks for the attributes and the agreement to the terms that the service requires. */
export function RegisterForm({ onRegistered, contact, language, className, children }: RegisterFormProps): ReactNode {
  const t = useTexts(language);
  const { register, ...state } = useRegister();
  const terms = useTerms(state.problem);
  const errorOf = (name: string): string | undefined => fieldError(state.problem, name);
  // The box is not there yet, or cannot be loaded.
  const missingTerms = state.problem?.errors?.find(({ code }) => code === 'terms_required')?.detail;
  const isOutdated = state.problem?.errors?.some(({ field }) => field.startsWith('attributes.')) === true;
  const registration = useInfo(isOutdated ? state.problem : undefined)?.info.registration;
  const contacts = contactsOf(contact, registration);
  // Services of an earlier version have none.
  const attributes = (registration as Partial<Requirements> | undefined)?.attributes ?? NO_ATTRIBUTES;
  const inLanguage = useLanguage(language);
  const submit = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    const { username = '', password = '', ...others } = fields;
    const trimmed = Object.entries(others).map(([name, value]) => [name, value.trim()] as const);
    const given = Object.fromEntries(
      trimmed.filter(([name, value]) => value !== '' && !name.startsWith('attributes.')),
    );
    const values = attributes.length > 0 ? { attributes: attributesOf(attributes, fields) } : {};
    const user = await register({ username: username.trim(), password, ...given, ...values });
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
        {contacts.map((name) => (
          <CodeField
            key={name}
            purpose="register"
            channel={name === 'phone' ? 'sms' : 'email'}
            t={t}
            targetName={name}
            codeName={`${name}_code`}
            targetError={errorOf(name)}
            codeError={errorOf(`${name}_code`) ?? errorOf('code')}
          />
        ))}
        {attributes.map((attribute) => (
          <AttributeField
            key={attribute.name}
            {...{ attribute, t }}
            language={inLanguage}
            error={errorOf(attributeFieldName(attribute))}
          />
        ))}
        {terms?.isRequired && <TermsBox key={terms.version} {...{ terms, t }} error={errorOf('terms_accepted')} />}
      </Frame>
      {children}
    </>
  );
}
