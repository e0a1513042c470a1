import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { CodeField } from '../../ui-basic/code-field';
import { Field, Submit } from '../../ui-basic/fields';
import { Form } from '../../session/form';
import { Mark } from '../../session/mark';
import { info } from '../info';
import { rememberMe, useMe } from '../me';
import { useSubmit } from '../use-submit';
import { Section } from './section';

const contacts = {
  email: { channel: 'email', verified: 'email_verified', type: 'email', code: 'email_code' },
  phone: { channel: 'sms', verified: 'phone_verified', type: 'tel', code: 'phone_code' },
} as const;
type Contact = keyof typeof contacts;

const isProvable = (contact: Contact): boolean => {
  const { enabled, channels } = info.verification;
  return enabled && channels.includes(contacts[contact].channel);
};

interface ContactFormProps {
  readonly contact: Contact;
  /** Verifies the present address or number; otherwise the user may change it. */
  readonly verifies: boolean;
  readonly onDone: () => void;
}

function ContactForm({ contact, verifies, onDone }: ContactFormProps): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const act = useSubmit();
  const { channel, type, code: codeField } = contacts[contact];
  const [text, setText] = useState(me[contact] ?? '');
  const value = text.trim();
  const [code, setCode] = useState('');
  const save = async (): Promise<void> => {
    const body = { [contact]: value === '' ? null : value, ...(value !== '' && code !== '' && { [codeField]: code }) };
    const answer = await act.run(() => api.PATCH('/api/auth/me', { body }), t('act.saved'));
    if (!answer?.data) return;
    rememberMe(answer.data);
    onDone();
  };
  return (
    <Form act={act} onSubmit={save}>
      {!verifies && (
        <Field
          autoFocus
          label={t(`field.${contact}`)}
          hint={t('contact.empty_removes')}
          value={text}
          type={type}
          error={act.fields[contact]}
          onChange={setText}
        />
      )}
      {isProvable(contact) && value !== '' && (
        <CodeField
          purpose="bind"
          channel={channel}
          target={value}
          value={code}
          error={act.fields[codeField] ?? act.fields['code']}
          onChange={setCode}
        />
      )}
      <Submit busy={act.busy}>{t(verifies ? 'contact.verify' : 'act.save')}</Submit>
    </Form>
  );
}

function ContactRow({ contact }: { readonly contact: Contact }): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const [open, setOpen] = useState<'change' | 'verify'>();
  const value = me[contact];
  const verified = me[contacts[contact].verified];
  return (
    <div className="contact">
      <div className="row">
        <div className="wrap">
          <p className="hint">{t(`field.${contact}`)}</p>
          {value ?? t('contact.none')}{' '}
          {value !== null && (
            <Mark tone={verified ? 'good' : 'plain'}>{t(verified ? 'contact.verified' : 'contact.unverified')}</Mark>
          )}
        </div>
        {!open && value !== null && !verified && isProvable(contact) && (
          <button
            type="button"
            className="secondary"
            aria-label={t('contact.verify_of', { what: t(`field.${contact}`) })}
            onClick={() => {
              setOpen('verify');
            }}
          >
            {t('contact.verify')}
          </button>
        )}
        <button
          type="button"
          className="secondary"
          aria-expanded={open !== undefined}
          onClick={() => {
            setOpen(open ? undefined : 'change');
          }}
        >
          {t(open ? 'act.cancel' : 'act.change')}
        </button>
      </div>
      {open && (
        <ContactForm
          contact={contact}
          verifies={open === 'verify'}
          onDone={() => {
            setOpen(undefined);
          }}
        />
      )}
    </div>
  );
}

/** The e-mail address and the phone number of the user. */
export function Contacts(): ReactNode {
  const { t } = useTranslation();
  return (
    <Section title={t('contact.title')}>
      <ContactRow contact="email" />
      <ContactRow contact="phone" />
    </Section>
  );
}
