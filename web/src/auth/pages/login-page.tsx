import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { Demand } from '../../shared/demand';
import type { Info } from '../../shared/info';
import { accountDeleted, sessionEnded, withPurpose } from '../destination';
import { EnrolForm } from '../parts/enrol-form';
import { LoggedIn } from '../parts/logged-in';
import { LoginForms, type LoginBody } from '../parts/login-forms';
import { MfaForm, type MfaChallenge } from '../parts/mfa-form';
import { NewPasswordForm } from '../parts/new-password-form';
import { OtherWays } from '../parts/other-ways';
import { Page } from '../parts/page';
import { PasskeyButton } from '../parts/passkey-button';
import { useOnward } from '../use-onward';
import { usePasskeyAutofill } from '../use-passkey-autofill';
import { useSubmit } from '../use-submit';

type Step =
  | { readonly kind: 'credentials' }
  | { readonly kind: 'mfa'; readonly challenge: MfaChallenge }
  | { readonly kind: Demand };

const titles = {
  credentials: 'login.title',
  mfa: 'mfa.title',
  password_change_required: 'new_password.title',
  mfa_enrolment_required: 'enrol.title',
} as const;

/** The password just typed: the service asks for it again where a new one must be chosen at once. */
const passwordOf = (body: LoginBody): string | undefined => (body.type === 'password' ? body.password : undefined);

const notice = accountDeleted ? 'login.deleted' : sessionEnded ? 'login.ended' : undefined;

export function LoginPage({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const [step, setStep] = useState<Step>({ kind: 'credentials' });
  const [password, setPassword] = useState<string>();
  const onward = useOnward((demand) => {
    setStep({ kind: demand });
  });

  useEffect(() => {
    document.title = `${t(titles[step.kind])} · ${info.name}`;
  }, [step, t, info]);

  // Back from a third party: what the first step left open is asked for by the cookie it left.
  useEffect(() => {
    if (location.pathname !== '/login/mfa') return;
    const load = async (): Promise<void> => {
      const { data } = await api.GET('/api/auth/login/mfa');
      if (data) setStep({ kind: 'mfa', challenge: data });
    };
    void load();
  }, []);

  const logIn = async (body: LoginBody): Promise<void> => {
    setPassword(passwordOf(body));
    const answer = await submission.send(() => api.POST('/api/auth/login', { body }));
    if (!answer?.data) return;
    if ('mfa_required' in answer.data) setStep({ kind: 'mfa', challenge: answer.data });
    else await onward.go();
  };

  const passkeys = info.login_methods.some(({ type, enabled }) => type === 'passkey' && enabled);
  usePasskeyAutofill(passkeys && step.kind === 'credentials', (body) => void logIn(body));
  if (onward.isStuck) return <LoggedIn info={info} onward={onward} />;
  switch (step.kind) {
    case 'mfa':
      return (
        <Page info={info} title={t('mfa.title')} lead={t('mfa.lead')}>
          <MfaForm
            challenge={step.challenge}
            send={(body) => api.POST('/api/auth/login/mfa', { body })}
            onDone={() => void onward.go()}
          />
          <p className="links">
            <a href={withPurpose('/login')}>{t('mfa.start_again')}</a>
          </p>
        </Page>
      );
    case 'password_change_required':
      return (
        <Page info={info} title={t('new_password.title')} lead={t('new_password.lead')}>
          <NewPasswordForm info={info} current={password} onDone={() => void onward.go()} />
        </Page>
      );
    case 'mfa_enrolment_required':
      return (
        <Page info={info} title={t('enrol.title')} lead={t('enrol.lead')}>
          <EnrolForm onDone={() => void onward.go()} />
        </Page>
      );
    case 'credentials':
      return (
        <Page info={info} title={t('login.title')} lead={notice && t(notice)}>
          <LoginForms info={info} submission={submission} onLogin={(body) => void logIn(body)} />
          <OtherWays info={info}>
            {passkeys && <PasskeyButton submission={submission} onLogin={(body) => void logIn(body)} />}
          </OtherWays>
          <p className="links">
            {info.verification.enabled && <a href={withPurpose('/reset-password')}>{t('login.forgot')}</a>}
            {info.registration.enabled && <a href={withPurpose('/register')}>{t('login.register')}</a>}
          </p>
        </Page>
      );
  }
}
