import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { Info } from '../../shared/info';
import { goOn, openDemand, type Demand } from '../continue';
import { accountDeleted, sessionEnded, withPurpose } from '../destination';
import { EnrolForm } from '../parts/enrol-form';
import { LoginForms, type LoginBody } from '../parts/login-forms';
import { MfaForm, type MfaChallenge } from '../parts/mfa-form';
import { NewPasswordForm } from '../parts/new-password-form';
import { OtherWays } from '../parts/other-ways';
import { Page } from '../parts/page';
import { PasskeyButton } from '../parts/passkey-button';
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
const passwordOf = (body: LoginBody): string | undefined =>
  typeof body['password'] === 'string' ? body['password'] : undefined;

const notice = accountDeleted ? 'login.deleted' : sessionEnded ? 'login.ended' : undefined;

export function LoginPage({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const [step, setStep] = useState<Step>({ kind: 'credentials' });
  const [password, setPassword] = useState<string>();

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

  const proceed = async (): Promise<void> => {
    try {
      const demand = await openDemand();
      if (demand === undefined) await goOn();
      else setStep({ kind: demand });
    } catch {
      // The service is away: the browser says so, and asks again.
      location.reload();
    }
  };

  const logIn = async (body: LoginBody): Promise<void> => {
    setPassword(passwordOf(body));
    const answer = await submission.send(() => api.POST('/api/auth/login', { body: body as never }));
    if (!answer?.data) return;
    if ('mfa_required' in answer.data) setStep({ kind: 'mfa', challenge: answer.data });
    else await proceed();
  };

  const passkeys = info.login_methods.some(({ type, enabled }) => type === 'passkey' && enabled);
  usePasskeyAutofill(passkeys && step.kind === 'credentials', (body) => void logIn(body));
  switch (step.kind) {
    case 'mfa':
      return (
        <Page info={info} title={t('mfa.title')} lead={t('mfa.lead')}>
          <MfaForm
            challenge={step.challenge}
            send={(body) => api.POST('/api/auth/login/mfa', { body })}
            onDone={() => void proceed()}
          />
          <p className="links">
            <a href={withPurpose('/login')}>{t('mfa.start_again')}</a>
          </p>
        </Page>
      );
    case 'password_change_required':
      return (
        <Page info={info} title={t('new_password.title')} lead={t('new_password.lead')}>
          <NewPasswordForm info={info} current={password} onDone={() => void proceed()} />
        </Page>
      );
    case 'mfa_enrolment_required':
      return (
        <Page info={info} title={t('enrol.title')} lead={t('enrol.lead')}>
          <EnrolForm onDone={() => void proceed()} />
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
