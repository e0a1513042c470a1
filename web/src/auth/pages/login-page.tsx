import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { sentenceOf } from '../../api/problem';
import type { Demand } from '../../shared/demand';
import type { Info } from '../../shared/info';
import { accountDeleted, deletionDue, isLoggedIn, sessionEnded, withPurpose } from '../destination';
import { Asking } from '../components/asking';
import { DueAttributes } from '../components/attributes';
import { DeclinedTerms } from '../components/declined-terms';
import { EnrolForm } from '../components/enrol-form';
import { Failure } from '../../ui-basic/fields';
import { IdentifierForm } from '../components/identifier-form';
import { KeepAccount } from '../components/keep-account';
import { LoggedIn } from '../components/logged-in';
import { LoginForms, type LoginBody } from '../components/login-forms';
import { MfaForm, type MfaChallenge } from '../components/mfa-form';
import { NewPasswordForm } from '../components/new-password-form';
import { OtherWays } from '../components/other-ways';
import { Page } from '../components/page';
import { PasskeyButton } from '../components/passkey-button';
import { StartAgain } from '../components/start-again';
import { TermsForm } from '../components/terms';
import { useOnward } from '../use-onward';
import { usePasskeyAutofill } from '../use-passkey-autofill';
import { useSubmit, type Submission } from '../use-submit';

type Step =
  /** Returned from a third-party login that needs a second factor. A cookie holds the MFA token. */
  | { readonly kind: 'back' }
  /** Returned from a third-party login, logged in. */
  | { readonly kind: 'logged_in' }
  | { readonly kind: 'credentials' }
  | { readonly kind: 'mfa'; readonly challenge: MfaChallenge }
  | { readonly kind: Demand }
  /** The user asked for the deletion of the account, and may keep it. */
  | { readonly kind: 'keep'; readonly dueAt: string };

/** Keeps the password: the service requires it again when a new one must be chosen right after the login. */
const passwordOf = (body: LoginBody): string | undefined => (body.type === 'password' ? body.password : undefined);

const initialStep = location.pathname === '/login/mfa' ? 'back' : isLoggedIn ? 'logged_in' : 'credentials';

const notices = [
  [accountDeleted, 'login.deleted'],
  [deletionDue, 'login.deletion_due'],
  [sessionEnded, 'login.ended'],
] as const;
const notice = notices.find(([applies]) => applies)?.[1];

interface CredentialsProps {
  readonly info: Info;
  readonly submission: Submission;
  readonly onLogin: (body: LoginBody) => void;
}

function Credentials({ info, submission, onLogin }: CredentialsProps): ReactNode {
  const { t } = useTranslation();
  const passkeys = usePasskeyAutofill(info, onLogin);
  const [identifier, setIdentifier] = useState(info.identifier_first ? undefined : '');
  const startAgain = (): void => {
    submission.clear();
    setIdentifier(undefined);
  };
  return (
    <Page info={info} title={t('login.title')} lead={notice && t(notice)}>
      {identifier === undefined ? (
        <>
          <Failure messageCount={submission.messageCount}>{submission.failure}</Failure>
          <IdentifierForm onOwnLogin={setIdentifier} />
        </>
      ) : (
        <LoginForms info={info} identifier={identifier} submission={submission} onLogin={onLogin} />
      )}
      <OtherWays info={info}>{passkeys && <PasskeyButton submission={submission} onLogin={onLogin} />}</OtherWays>
      <p className="links">
        {info.identifier_first && identifier !== undefined && (
          <button type="button" className="link" onClick={startAgain}>
            {t('login.another')}
          </button>
        )}
        {info.verification.enabled && <a href={withPurpose('/reset-password')}>{t('login.forgot')}</a>}
        {info.registration.enabled && <a href={withPurpose('/register')}>{t('login.register')}</a>}
      </p>
    </Page>
  );
}

interface DemandStepProps {
  readonly info: Info;
  readonly demand: Demand;
  readonly password: string | undefined;
  readonly onDone: () => void;
}

/** What the user must do before anything else. */
function DemandStep({ info, demand, password, onDone }: DemandStepProps): ReactNode {
  const { t } = useTranslation();
  switch (demand) {
    case 'password_change_required':
      return (
        <Page info={info} title={t('new_password.title')} lead={t('new_password.lead')}>
          <NewPasswordForm info={info} current={password} onDone={onDone} />
        </Page>
      );
    case 'terms_required':
      return (
        <Page info={info} title={t('terms.title')}>
          <TermsForm info={info} onDone={onDone} />
          <DeclinedTerms info={info} />
          <StartAgain />
        </Page>
      );
    case 'attributes_required':
      return <DueAttributes info={info} onDone={onDone} />;
    case 'mfa_enrolment_required':
      return (
        <Page info={info} title={t('enrol.title')} lead={t('enrol.lead')}>
          <EnrolForm onDone={onDone} />
        </Page>
      );
  }
}

export function LoginPage({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const [step, setStep] = useState<Step>({ kind: initialStep });
  const [password, setPassword] = useState<string>();
  const onward = useOnward(setStep);

  const findChallenge = async (asking: Submission): Promise<void> => {
    const answer = await asking.send(
      () => api.GET('/api/auth/login/mfa'),
      (problem) => {
        if (problem.code !== 'temp_token_invalid') return false;
        submission.fail(sentenceOf(problem));
        setStep({ kind: 'credentials' });
        return true;
      },
    );
    if (answer?.data) setStep({ kind: 'mfa', challenge: answer.data });
  };
  const findLogin = async (asking: Submission): Promise<void> => {
    const answer = await asking.send(
      () => api.GET('/api/auth/me'),
      ({ status }) => {
        const isUnauthenticated = status === 401;
        if (isUnauthenticated) setStep({ kind: 'credentials' });
        return isUnauthenticated;
      },
    );
    if (answer) await onward.go();
  };
  const logIn = async (body: LoginBody): Promise<void> => {
    setPassword(passwordOf(body));
    const answer = await submission.send(() => api.POST('/api/auth/login', { body }));
    if (!answer?.data) return;
    if ('mfa_required' in answer.data) setStep({ kind: 'mfa', challenge: answer.data });
    else await onward.go();
  };

  if (onward.isStuck) return <LoggedIn info={info} onward={onward} />;
  switch (step.kind) {
    case 'back':
      return (
        <Asking info={info} title={t('mfa.title')} ask={findChallenge}>
          <StartAgain />
        </Asking>
      );
    case 'logged_in':
      return (
        <Asking info={info} title={t('login.done')} ask={findLogin}>
          <StartAgain />
        </Asking>
      );
    case 'mfa':
      return (
        <Page info={info} title={t('mfa.title')} lead={t('mfa.lead')}>
          <MfaForm
            info={info}
            challenge={step.challenge}
            send={(body) => api.POST('/api/auth/login/mfa', { body })}
            onDone={() => void onward.go()}
          />
          <StartAgain />
        </Page>
      );
    case 'password_change_required':
    case 'terms_required':
    case 'attributes_required':
    case 'mfa_enrolment_required':
      return <DemandStep info={info} demand={step.kind} password={password} onDone={() => void onward.go()} />;
    case 'keep':
      return <KeepAccount info={info} dueAt={step.dueAt} onGoOn={() => void onward.go({ mayBeDeleted: true })} />;
    case 'credentials':
      return <Credentials info={info} submission={submission} onLogin={(body) => void logIn(body)} />;
  }
}
