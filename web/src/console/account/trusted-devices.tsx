import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { ask } from '../parts/ask';
import { deviceName } from '../parts/device-name';
import { Loaded } from '../parts/loaded';
import { timeOf } from '../parts/time';
import { useAct } from '../parts/use-act';
import { queryClient } from '../query-client';

type TrustedDevice = components['schemas']['TrustedDeviceDto'];

const { queryKey } = $api.queryOptions('get', '/api/auth/mfa/trusted-devices');

function DeviceCard({ trusted }: { readonly trusted: TrustedDevice }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const what = deviceName(trusted, t('sessions.unknown'));
  const revoke = async (): Promise<void> => {
    const text = t('trusted.revoke_ask', { what });
    if (!(await ask({ title: t('trusted.revoke'), text, confirm: t('trusted.revoke') }))) return;
    const params = { path: { id: trusted.id } };
    if (await act.run(() => api.DELETE('/api/auth/mfa/trusted-devices/{id}', { params }), t('trusted.revoked'))) {
      await queryClient.invalidateQueries({ queryKey });
    }
  };
  return (
    <Card withBorder component="li">
      <Group justify="space-between">
        <div className="wrap">
          <Text fw={600}>{what}</Text>
          <Text size="sm" c="dimmed">
            {t('trusted.since', { time: timeOf(trusted.created_at), ip: trusted.ip })}{' '}
            {trusted.last_used_at && t('mfa.used', { time: timeOf(trusted.last_used_at) })}
          </Text>
        </div>
        <Button
          variant="default"
          loading={act.busy}
          aria-label={t('trusted.revoke_of', { what })}
          onClick={() => void revoke()}
        >
          {t('trusted.revoke')}
        </Button>
      </Group>
    </Card>
  );
}

/** Browsers that skip the second step. */
export function TrustedDevices(): ReactNode {
  const { t } = useTranslation();
  const devices = $api.useQuery('get', '/api/auth/mfa/trusted-devices');
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h4">
        {t('trusted.title')}
      </Title>
      <Text c="dimmed">{t('trusted.lead')}</Text>
      <Loaded query={devices}>
        {({ items }) =>
          items.length === 0 ? (
            <Text>{t('trusted.none')}</Text>
          ) : (
            <Stack component="ul" p={0} m={0} className="plain">
              {items.map((trusted) => (
                <DeviceCard key={trusted.id} trusted={trusted} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  );
}
