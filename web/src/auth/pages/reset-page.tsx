import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { components } from '../../api/schema';
import type { Info } from '../../shared/info';
import { timeOf } from '../../shared/time';
import { withPurpose } from '../destination';
import { CodeField, type Channel } from '../../ui-basic/code-field';
import { Check, Field, PasswordInput } from '../../ui-basic/fields';
import { Form } from '../components/form';
import { Page } from '../components/page';
import { passwordHint } from '../components/password-hint';
import { useSubmit } from '../use-submit';

type Reviewed = components['schemas']['ReviewedIdentityDto'];

interface ResetFormProps {
  readonly info: Info;
  readonly channels: readonly Channel[];
  /** Receives the third-party identities linked since the last reset. */
  readonly onDone: (reviewed: readonly Reviewed[]) => void;
}

function ResetForm({ info, channels, onDone }: ResetFormProps): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const [channel, setChannel] = useState<Channel>(channels[0] ?? 'email');
  const [target, setTarget] = useState('');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [unlink, setUnlink] = useState(false);

  const reset = async (): Promise<void> => {
    const body = { channel, target: target.trim(), code, new_password: password, unlink_identities: unlink };
    const answer = await submission.send(() => api.POST('/api/auth/password/reset', { body }));
    if (answer) onDone(answer.data?.identities ?? []);
  };
  return (
    <Form submission={submission} action={t('reset.submit')} onSubmit={() => void reset()}>
      {channels.length > 1 && (
        <fieldset className="choice">
          <legend>{t('reset.channel')}</legend>
          {channels.map((one) => (
            <label key={one} className="check">
              <input
                type="radio"
                name="channel"
                checked={one === channel}
                onChange={() => {
                  setChannel(one);
                  setTarget('');
                  setCode('');
                  submission.clear();
                }}
              />
              {t(`contact.${one === 'sms' ? 'phone' : 'email'}`)}
            </label>
          ))}
        </fieldset>
      )}
      <Field
        label={t(`contact.${channel === 'sms' ? 'phone' : 'email'}`)}
        value={target}
        onChange={setTarget}
        error={submission.fields['target']}
        type={channel === 'sms' ? 'tel' : 'email'}
        autoComplete={channel === 'sms' ? 'tel' : 'email'}
      />
      <CodeField
        key={channel}
        purpose="reset_password"
        channel={channel}
        target={target}
        value={code}
        onChange={setCode}
        error={submission.fields['code']}
      />
      <PasswordInput
        label={t('new_password.wanted')}
        hint={passwordHint(t, info, { password })}
        value={password}
        onChange={setPassword}
        error={submission.fields['new_password']}
        autoComplete="new-password"
      />
      {info.oauth_providers.length > 0 && <Check label={t('reset.unlink')} checked={unlink} onChange={setUnlink} />}
    </Form>
  );
}

interface ReviewProps {
  readonly reviewed: readonly Reviewed[];
}

/** Lists the other ways into the account, because the owner may not know all of them. */
function Review({ reviewed }: ReviewProps): ReactNode {
  const { t } = useTranslation();
  if (reviewed.length === 0) return null;
  const isDone = reviewed.every(({ unlinked }) => unlinked);
  return (
    <section>
      <p>{t(isDone ? 'reset.unlinked' : 'reset.linked')}</p>
      <ul className="scopes">
        {reviewed.map(({ label, subject_hint: subject, linked_at: linkedAt }) => (
          <li key={`${label} ${subject} ${linkedAt}`}>
            {t('reset.identity', { label, subject, time: timeOf(linkedAt) })}
          </li>
        ))}
      </ul>
      {!isDone && <p>{t('reset.linked_hint')}</p>}
    </section>
  );
}

const isChannel = (name: string): name is Channel => name === 'email' || name === 'sms';

export function ResetPage({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  const [reviewed, setReviewed] = useState<readonly Reviewed[]>();
  const login = (
    <p className="links">
      <a href={withPurpose('/login')}>{t('reset.to_login')}</a>
    </p>
  );
  const channels = info.verification.enabled ? info.verification.channels.filter(isChannel) : [];
  if (channels.length === 0) {
    return (
      <Page info={info} title={t('reset.title')} lead={t('reset.closed')}>
        {login}
      </Page>
    );
  }
  if (reviewed) {
    return (
      <Page info={info} title={t('reset.done')} lead={t('reset.done_lead')}>
        <Review reviewed={reviewed} />
        <a className="primary" href={withPurpose('/login')}>
          {t('login.submit')}
        </a>
      </Page>
    );
  }
  return (
    <Page info={info} title={t('reset.title')} lead={t('reset.lead')}>
      <ResetForm info={info} channels={channels} onDone={setReviewed} />
      {login}
    </Page>
  );
}
