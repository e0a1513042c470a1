import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { Info } from '../../shared/info';
import { withPurpose } from '../destination';
import { ContactFields, noContacts, typed } from '../parts/contact-fields';
import { Field, PasswordInput } from '../parts/fields';
import { Form } from '../parts/form';
import { OtherWays } from '../parts/other-ways';
import { Page } from '../parts/page';
import { useSubmit } from '../use-submit';

function RegisterForm({
  info,
  onDone,
}: {
  readonly info: Info;
  readonly onDone: (username: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [contacts, setContacts] = useState(noContacts);

  const register = async (): Promise<void> => {
    const body = { username, password, ...typed(contacts) };
    if (await submission.send(() => api.POST('/api/auth/register', { body }))) onDone(username);
  };
  return (
    <Form submission={submission} action={t('register.submit')} onSubmit={() => void register()}>
      <Field
        label={t('register.username')}
        hint={t('register.username_hint')}
        value={username}
        onChange={setUsername}
        error={submission.fields['username']}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <PasswordInput
        label={t('login.password')}
        hint={t('new_password.hint', { min: info.password.min_length })}
        value={password}
        onChange={setPassword}
        error={submission.fields['password']}
        autoComplete="new-password"
      />
      <ContactFields info={info} values={contacts} onChange={setContacts} errors={submission.fields} />
    </Form>
  );
}

export function RegisterPage({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  const [registered, setRegistered] = useState<string>();
  if (!info.registration.enabled) return <Page info={info} title={t('register.title')} lead={t('register.closed')} />;
  if (registered !== undefined) {
    return (
      <Page info={info} title={t('register.done')} lead={t('register.welcome', { username: registered })}>
        <a className="primary" href={withPurpose('/login')}>
          {t('login.submit')}
        </a>
      </Page>
    );
  }
  return (
    <Page info={info} title={t('register.title')}>
      <RegisterForm info={info} onDone={setRegistered} />
      <OtherWays info={info} />
      <p className="links">
        <a href={withPurpose('/login')}>{t('register.have_account')}</a>
      </p>
    </Page>
  );
}
