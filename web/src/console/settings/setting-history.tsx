import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { reloadInfo } from '../info-context';
import { ask } from '../components/ask';
import { Difference } from '../components/difference';
import { Loaded } from '../components/loaded';
import { DataTable } from '../components/table';
import { timeOf } from '../../shared/time';
import { useSubmit } from '../hooks/use-submit';
import { queryClient } from '../query-client';
import type { Setting } from './setting';
import { useNames } from '../users/use-names';

type Version = components['schemas']['SettingVersionDto'];

const { queryKey: allSettings } = $api.queryOptions('get', '/api/setting');
interface VersionsProps {
  readonly setting: Setting;
  readonly versions: readonly Version[];
  readonly onRollBack: ((version: number) => void) | undefined;
}

function Versions({ setting, versions, onRollBack }: VersionsProps): ReactNode {
  const { t } = useTranslation();
  const names = useNames(versions.map(({ changed_by }) => changed_by));
  const nothing = t(setting.is_secret ? 'settings.secret_hidden' : 'settings.default_value');
  const columns = [
    { name: t('settings.version'), show: (row: Version) => row.version },
    {
      name: t('settings.change'),
      show: (row: Version) => <Difference from={row.from} to={row.to} nothing={nothing} />,
    },
    {
      name: t('settings.at'),
      show: (row: Version) => (
        <Stack gap={0}>
          <Text size="sm">{timeOf(row.changed_at)}</Text>
          <Text size="sm" c="dimmed">
            {names.get(row.changed_by ?? '')}
          </Text>
          {row.reason !== null && <Text size="sm">{row.reason}</Text>}
        </Stack>
      ),
    },
    ...(onRollBack
      ? [
          {
            name: t('list.actions'),
            show: (row: Version) =>
              row.version === setting.version ? (
                t('settings.in_force')
              ) : (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('settings.roll_back_to', { version: row.version })}
                  onClick={() => {
                    onRollBack(row.version);
                  }}
                >
                  {t('settings.roll_back')}
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <DataTable
      label={t('settings.history_of', { key: setting.key })}
      columns={columns}
      rows={versions}
      rowKey={({ version }) => version}
      empty={t('list.none')}
    />
  );
}

/** Shows earlier values of a setting and rolls back to them. */
export function SettingHistory({
  setting,
  editable,
}: {
  readonly setting: Setting;
  readonly editable: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const params = { path: { key: setting.key } };
  const history = $api.useQuery('get', '/api/setting/{key}/history', { params });
  const rollBack = async (version: number): Promise<void> => {
    const title = t('settings.roll_back_to', { version });
    const text = t('settings.roll_back_ask', { key: setting.key, version });
    if (!(await ask({ title, text, confirm: t('settings.roll_back') }))) return;
    const options = { params, body: { version } };
    if (await act.run(() => api.POST('/api/setting/{key}/rollback', options), t('act.saved'))) {
      await Promise.all([queryClient.invalidateQueries({ queryKey: allSettings }), reloadInfo()]);
    }
  };
  return (
    <Loaded query={history}>
      {({ items }) => (
        <Versions
          setting={setting}
          versions={items}
          onRollBack={editable && !act.busy ? (version) => void rollBack(version) : undefined}
        />
      )}
    </Loaded>
  );
}
