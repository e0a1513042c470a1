import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { Problem } from '../../api/problem';
import type { Info } from '../../shared/info';
import { useSubmit } from '../use-submit';
import { useAttributes } from './attributes';
import { arrangeContacts, ContactFields, noContacts, typed } from './contact-fields';
import { Field, PasswordInput } from '../../ui-basic/fields';
import { Form } from './form';
import { passwordHint } from './password-hint';
import { useTermsBox } from './terms';

/** Whether the new user is logged in now. Not where passwords are no login method, or the service is busy. */
async function logIn(username: string, password: string): Promise<boolean> {
  const body = { type: 'password', username, password, remember: true } as const;
  try {
    const { data } = await api.POST('/api/auth/login', { body });
    return data !== undefined && !('mfa_required' in data);
  } catch {
    return false;
  }
}

export interface Registered {
  readonly username: string;
  readonly isLoggedIn: boolean;
}

interface RegisterFormProps {
  readonly info: Info;
  /** With an invitation, its contact is the new user's, so no other one is needed. */
  readonly invitation?: string;
  readonly onDone: (registered: Registered) => void;
}

/** Creates an account, and logs in to it if possible. */
export function RegisterForm({ info, invitation, onDone }: RegisterFormProps): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [contacts, setContacts] = useState(noContacts);
  const attributes = useAttributes(info, submission);
  const terms = useTermsBox(info, submission);
  const handle = (problem: Problem): false => {
    attributes.handle(problem);
    return terms.handle(problem);
  };
  const isInvited = invitation !== undefined;
  const { before, after } = isInvited ? { before: [], after: [] } : arrangeContacts(info);
  const contactsProps = { info, values: contacts, onChange: setContacts, errors: submission.fields };

  const register = async (): Promise<void> => {
    const account = { username: username.trim(), password, ...typed(contacts), ...attributes.given, ...terms.accepted };
    const body = isInvited ? { ...account, invitation_token: invitation } : account;
    if (!(await submission.send(() => api.POST('/api/auth/register', { body }), handle))) return;
    const { username: name } = account;
    onDone({ username: name, isLoggedIn: await logIn(name, password) });
  };
  return (
    <Form submission={submission} action={t('register.submit')} onSubmit={() => void register()}>
      <ContactFields {...contactsProps} names={before} autoFocus />
      <Field
        label={t('register.username')}
        hint={t('register.username_hint')}
        value={username}
        onChange={setUsername}
        error={submission.fields['username']}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={before.length === 0}
      />
      <PasswordInput
        label={t('login.password')}
        hint={passwordHint(t, info, { password, username })}
        value={password}
        onChange={setPassword}
        error={submission.fields['password']}
        autoComplete="new-password"
      />
      <ContactFields {...contactsProps} names={after} />
      {attributes.inputs}
      {terms.box}
    </Form>
  );
}
