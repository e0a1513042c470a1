import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../me';
import { DeleteAccount } from '../parts/delete-account';
import { ExportData } from '../parts/export-data';
import { Page } from '../parts/page';
import { PasswordForm } from '../parts/password-form';
import { Section } from '../parts/section';

export function SecurityPage(): ReactNode {
  const { t } = useTranslation();
  const { has_password: hasPassword } = useMe();
  return (
    <Page title={t('nav.security')}>
      <Section
        title={t(hasPassword ? 'security.change_password' : 'security.set_password')}
        lead={t('security.password_lead')}
      >
        <PasswordForm />
      </Section>
      <ExportData />
      <DeleteAccount />
    </Page>
  );
}
