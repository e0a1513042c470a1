import { Card, Stack, Switch } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { useSubmit } from '../hooks/use-submit';
import { queryClient } from '../query-client';

const { queryKey } = $api.queryOptions('get', '/api/login-method');

export function LoginMethodsPage(): ReactNode {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const act = useSubmit();
  const [asked, setAsked] = useState<string>();
  const methods = $api.useQuery('get', '/api/login-method');
  const nameOf = (type: string): string => (i18n.exists(`login_methods.${type}`) ? t(`login_methods.${type}`) : type);
  const change = async (type: string, enabled: boolean): Promise<void> => {
    const method = nameOf(type);
    const question = { title: t('login_methods.off.title', { method }), text: t('login_methods.off.text', { method }) };
    if (!enabled) {
      // Renders the switch again, which the browser has already turned off.
      setAsked(type);
      const agrees = await ask({ ...question, confirm: t('login_methods.off.confirm') });
      setAsked(undefined);
      if (!agrees) return;
    }
    const options = { params: { path: { type } }, body: { enabled } };
    await act.run(() => api.PATCH('/api/login-method/{type}', options), t('act.saved'));
    await queryClient.invalidateQueries({ queryKey });
  };
  const missingOf = (type: string): string =>
    i18n.exists(`login_methods.unconfigured.${type}`)
      ? t(`login_methods.unconfigured.${type}`)
      : t('login_methods.not_configured');
  return (
    <Page title={t('nav.login_methods')} lead={t('login_methods.lead')}>
      <Loaded query={methods}>
        {({ items }) => (
          <Stack>
            {items.map(({ type, enabled, configured }) => (
              <Card withBorder key={type}>
                <Switch
                  label={nameOf(type)}
                  description={configured ? '' : missingOf(type)}
                  checked={enabled || asked === type}
                  disabled={!may('login_method:update') || act.busy}
                  onChange={(event) => void change(type, event.currentTarget.checked)}
                />
              </Card>
            ))}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
