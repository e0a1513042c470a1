import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { storeDestination, throughProvider } from '../destination';
import { useSubmit } from '../use-submit';
import { Field } from '../../ui-basic/fields';
import { Form } from './form';

interface Props {
  /** Called with an identifier that no organization's provider logs in. */
  readonly onOwnLogin: (identifier: string) => void;
}

/** First step of a login where organizations have login providers of their own. */
export function IdentifierForm({ onOwnLogin }: Props): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const [identifier, setIdentifier] = useState('');
  const goOn = async (): Promise<void> => {
    const typed = identifier.trim();
    const answer = await submission.send(() => api.POST('/api/auth/identify', { body: { identifier: typed } }));
    if (!answer?.data) return;
    const { provider } = answer.data;
    if (!provider) {
      onOwnLogin(typed);
      return;
    }
    storeDestination();
    location.assign(throughProvider(provider.login_url));
  };
  return (
    <Form submission={submission} action={t('login.go_on')} onSubmit={() => void goOn()}>
      <Field
        label={t('login.identifier')}
        value={identifier}
        onChange={setIdentifier}
        error={submission.fields['identifier']}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
    </Form>
  );
}
