import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Info } from '../../shared/info';
import { CodeField } from '../../ui-basic/code-field';
import { Field } from '../../ui-basic/fields';

export interface ContactValues {
  readonly email: string;
  readonly email_code: string;
  readonly phone: string;
  readonly phone_code: string;
}

export const noContacts: ContactValues = { email: '', email_code: '', phone: '', phone_code: '' };

type Contact = 'email' | 'phone';

interface ContactFieldsProps {
  readonly info: Info;
  readonly names?: readonly Contact[];
  /** Focuses the first field. */
  readonly autoFocus?: boolean;
  readonly values: ContactValues;
  readonly onChange: (values: ContactValues) => void;
  readonly errors: Readonly<Record<string, string>>;
}

const contacts = [
  { name: 'email', channel: 'email', type: 'email', autoComplete: 'email' },
  { name: 'phone', channel: 'sms', type: 'tel', autoComplete: 'tel' },
] as const;

/** Contacts of a new account, each with a code field if the service can verify it. */
export function ContactFields({ info, names, autoFocus, values, onChange, errors }: ContactFieldsProps): ReactNode {
  const { t } = useTranslation();
  const { verification, registration } = info;
  const { contact_required: wanted } = registration;
  const needsCode = { email: registration.email_code_required, phone: registration.phone_code_required };
  const isRequired = (name: Contact): boolean => needsCode[name] || wanted === name || wanted === 'both';
  const shown = contacts.filter(({ name }) => names === undefined || names.includes(name));
  return shown.map(({ name, channel, type, autoComplete }, place) => {
    const offered = verification.enabled && verification.channels.includes(channel);
    return (
      <div key={name}>
        <Field
          label={t(isRequired(name) ? `contact.${name}` : `contact.${name}_optional`)}
          value={values[name]}
          onChange={(text) => {
            onChange({ ...values, [name]: text });
          }}
          error={errors[name]}
          hint={wanted === 'either' && !isRequired(name) ? t('contact.either') : undefined}
          type={type}
          autoComplete={autoComplete}
          autoFocus={autoFocus === true && place === 0}
        />
        {offered && (needsCode[name] || values[name].trim() !== '') && (
          <CodeField
            purpose="register"
            channel={channel}
            target={values[name]}
            value={values[`${name}_code`]}
            onChange={(code) => {
              onChange({ ...values, [`${name}_code`]: code });
            }}
            error={errors[`${name}_code`]}
          />
        )}
      </div>
    );
  });
}

interface ArrangedContacts {
  readonly before: readonly Contact[];
  readonly after: readonly Contact[];
}

/** The contacts before and after the username, by setting `register.first_field`. */
export function arrangeContacts({ registration: { first_field: first } }: Info): ArrangedContacts {
  const before = contacts.map(({ name }) => name).filter((name) => name === first);
  return { before, after: contacts.map(({ name }) => name).filter((name) => name !== first) };
}

/** Trims the contacts and codes, and omits the empty ones, and the codes of empty contacts. */
export function typed(values: ContactValues): Partial<ContactValues> {
  const texts = new Map(Object.entries(values).map(([name, text]: [string, string]) => [name, text.trim()]));
  const isGiven = (name: string): boolean => texts.get(name) !== '' && texts.get(name.replace(/_code$/, '')) !== '';
  return Object.fromEntries([...texts].filter(([name]) => isGiven(name))) as Partial<ContactValues>;
}
