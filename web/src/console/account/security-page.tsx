import { Card, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../me';
import { Page } from '../parts/page';
import { DeleteAccount } from './delete-account';
import { ExportData } from './export-data';
import { PasswordForm } from './password-form';

function PasswordCard(): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  return (
    <Card withBorder component="section">
      <Stack>
        <Title order={2} size="h4">
          {t(me.has_password ? 'security.change_password' : 'security.set_password')}
        </Title>
        <Text c="dimmed">{t('security.password_lead')}</Text>
        <PasswordForm />
      </Stack>
    </Card>
  );
}

export function SecurityPage(): ReactNode {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.security')}>
      <PasswordCard />
      <ExportData />
      <DeleteAccount />
    </Page>
  );
}
