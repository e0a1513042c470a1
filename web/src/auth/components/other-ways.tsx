import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Info } from '../../shared/info';
import { ProviderMark } from '../../shared/provider-mark';
import { storeDestination, throughProvider } from '../destination';

/** Section for alternatives to the form above. */
export function Others({ children }: { readonly children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  return (
    <section className="others" aria-label={t('login.others')}>
      <p className="divider">
        <span>{t('login.others')}</span>
      </p>
      {children}
    </section>
  );
}

/** Buttons for third-party logins. */
export function OtherWays({ info, children }: { readonly info: Info; readonly children?: ReactNode }): ReactNode {
  const { t } = useTranslation();
  if (info.oauth_providers.length === 0 && !children) return null;
  return (
    <Others>
      {children}
      {info.oauth_providers.map((provider) => (
        <a
          key={provider.name}
          className="secondary"
          onClick={storeDestination}
          onAuxClick={storeDestination}
          href={throughProvider(provider.login_url)}
        >
          <ProviderMark template={provider.template} label={provider.label} icon={provider.icon} />
          {t('login.with', { provider: provider.label })}
        </a>
      ))}
    </Others>
  );
}
