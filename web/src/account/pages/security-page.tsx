import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../me';
import { DeleteAccount } from '../components/delete-account';
import { ExportData } from '../components/export-data';
import { Page } from '../components/page';
import { PasswordForm } from '../components/password-form';
import { Section } from '../components/section';

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
