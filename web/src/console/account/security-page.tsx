import { Button, Card, Stack, Text, Title } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { leaveBy } from '../leave';
import { useMe } from '../me';
import { ask } from '../parts/ask';
import { Page } from '../parts/page';
import { useAct } from '../parts/use-act';
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

function DeleteCard(): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const remove = async (): Promise<void> => {
    const question = { title: t('security.delete'), text: t('security.delete_ask'), confirm: t('security.delete') };
    if (!(await ask(question))) return;
    const hasGone = async (): Promise<boolean> => (await act.run(() => api.DELETE('/api/auth/me'))) !== undefined;
    await leaveBy(hasGone, '/login?deleted');
  };
  return (
    <Card withBorder component="section">
      <Stack align="flex-start">
        <Title order={2} size="h4">
          {t('security.delete')}
        </Title>
        <Text c="dimmed">{t('security.delete_lead')}</Text>
        <Button
          variant="default"
          className="danger"
          leftSection={<Trash2 />}
          loading={act.busy}
          onClick={() => void remove()}
        >
          {t('security.delete')}
        </Button>
      </Stack>
    </Card>
  );
}

export function SecurityPage(): ReactNode {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.security')}>
      <PasswordCard />
      <DeleteCard />
    </Page>
  );
}
