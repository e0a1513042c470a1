import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Info } from '../../shared/info';
import { goingOn, withPurpose } from '../destination';
import { OtherWays } from '../components/other-ways';
import { Page } from '../components/page';
import { RegisterForm, type Registered } from '../components/register-form';

export function RegisterPage({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  const [registered, setRegistered] = useState<string>();
  const goOn = ({ username, isLoggedIn }: Registered): void => {
    if (isLoggedIn) location.replace(goingOn);
    else setRegistered(username);
  };
  const login = (
    <p className="links">
      <a href={withPurpose('/login')}>{t('register.have_account')}</a>
    </p>
  );
  if (!info.registration.enabled) {
    return (
      <Page info={info} title={t('register.title')} lead={t('register.closed')}>
        {login}
      </Page>
    );
  }
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
      <RegisterForm info={info} onDone={goOn} />
      <OtherWays info={info} />
      {login}
    </Page>
  );
}
