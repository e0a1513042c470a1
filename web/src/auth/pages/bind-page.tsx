import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { Problem } from '../../api/problem';
import type { components } from '../../api/schema';
import type { Info } from '../../shared/info';
import { errorPage, goingOn } from '../destination';
import { Asking } from '../components/asking';
import { useAttributes } from '../components/attributes';
import { ContactFields, noContacts, typed } from '../components/contact-fields';
import { Field, PasswordInput } from '../../ui-basic/fields';
import { Form } from '../components/form';
import { LoginForms, type LoginBody } from '../components/login-forms';
import { LoggedIn } from '../components/logged-in';
import { MfaForm, type MfaChallenge, type SecondStep } from '../components/mfa-form';
import { Others } from '../components/other-ways';
import { Page } from '../components/page';
import { PasskeyButton } from '../components/passkey-button';
import { useTermsBox } from '../components/terms';
import { useOnward } from '../use-onward';
import { usePasskeyAutofill } from '../use-passkey-autofill';
import { useSubmit, type Submission } from '../use-submit';

type Pending = components['schemas']['BindOfferDto'];

interface PartProps {
  readonly info: Info;
  readonly onDone: () => void;
}

function NewAccount({ info, onDone }: PartProps): ReactNode {
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
  const register = async (): Promise<void> => {
    const account = { username: username.trim(), ...(password !== '' && { password }) };
    const body = { ...account, ...typed(contacts), ...attributes.given, ...terms.accepted };
    if (await submission.send(() => api.POST('/api/oauth/bind/register', { body }), handle)) onDone();
  };
  return (
    <Form submission={submission} action={t('bind.create')} onSubmit={() => void register()}>
      <Field
        label={t('register.username')}
        hint={t('register.username_hint')}
        value={username}
        onChange={setUsername}
        error={submission.fields['username']}
        autoComplete="username"
        autoCapitalize="none"
      />
      <PasswordInput
        label={t('bind.password_optional')}
        value={password}
        onChange={setPassword}
        error={submission.fields['password']}
        autoComplete="new-password"
      />
      <ContactFields info={info} values={contacts} onChange={setContacts} errors={submission.fields} />
      {attributes.inputs}
      {terms.box}
    </Form>
  );
}

interface ProofProps {
  readonly info: Info;
  readonly submission: Submission;
  readonly onLogin: (body: LoginBody) => void;
}

function Proof({ info, submission, onLogin }: ProofProps): ReactNode {
  const passkeys = usePasskeyAutofill(info, onLogin);
  return (
    <>
      <LoginForms info={info} identifier="" submission={submission} onLogin={onLogin} />
      {passkeys && (
        <Others>
          <PasskeyButton submission={submission} onLogin={onLogin} />
        </Others>
      )}
    </>
  );
}

function OwnAccount({ info, onDone }: PartProps): ReactNode {
  const submission = useSubmit();
  const [challenge, setChallenge] = useState<MfaChallenge>();
  const logIn = async (body: LoginBody): Promise<void> => {
    // The service accepts every login type, but its OpenAPI document lists the password login only.
    const named = body as components['schemas']['PasswordLoginDto'];
    const answer = await submission.send(() => api.POST('/api/oauth/bind/login', { body: named }));
    if (!answer?.data) return;
    if ('mfa_required' in answer.data) setChallenge(answer.data);
    else onDone();
  };
  if (challenge) {
    const send = (body: SecondStep) => api.POST('/api/oauth/bind/login', { body });
    return <MfaForm info={info} challenge={challenge} send={send} onDone={onDone} />;
  }
  return <Proof info={info} submission={submission} onLogin={(body) => void logIn(body)} />;
}

/** Redirects to the error page if the link token has expired or was used, and returns whether it does. */
function leaveIfTokenInvalid({ code }: Problem): boolean {
  const isInvalid = code === 'temp_token_invalid';
  if (isInvalid) location.replace(errorPage(code));
  return isInvalid;
}

/** The picture of the third-party account, unless it does not load: its host may refuse other sites. */
function Avatar({ url }: { readonly url: string }): ReactNode {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return null;
  return (
    <img
      src={url}
      alt=""
      onError={() => {
        setBroken(true);
      }}
    />
  );
}

/** Links a third-party identity without an account to an existing or a new account. */
export function BindPage({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  const [pending, setPending] = useState<Pending>();
  const [kind, setKind] = useState<'new' | 'own'>('own');
  const onward = useOnward(() => {
    location.assign(goingOn);
  });
  if (onward.isStuck) return <LoggedIn info={info} onward={onward} />;
  const load = async (asking: Submission): Promise<void> => {
    const answer = await asking.send(() => api.GET('/api/oauth/bind'), leaveIfTokenInvalid);
    if (answer?.data) setPending(answer.data);
  };
  if (!pending) return <Asking info={info} title={t('bind.title')} ask={load} />;

  const who = pending.profile.nickname ?? pending.profile.email ?? '';
  const other = kind === 'own' ? 'new' : 'own';
  const Part = kind === 'own' ? OwnAccount : NewAccount;
  return (
    <Page info={info} title={t('bind.title')} lead={t('bind.lead', { provider: pending.label, service: info.name })}>
      <p className="sides">
        {pending.profile.avatar && <Avatar url={pending.profile.avatar} />}
        <span>{t('bind.who', { provider: pending.label, who })}</span>
      </p>
      <h2>{t(`bind.${kind}`)}</h2>
      <Part info={info} onDone={() => void onward.go()} />
      {info.registration.enabled && (
        <p className="links">
          <button
            type="button"
            className="link"
            onClick={() => {
              setKind(other);
            }}
          >
            {t(`bind.${other}_instead`)}
          </button>
        </p>
      )}
    </Page>
  );
}
