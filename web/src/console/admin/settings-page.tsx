import { Accordion, Alert, Button, Group, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { useMay } from '../may';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { useAct } from '../parts/use-act';
import { queryClient } from '../query-client';
import { SettingEditor, type SettingValue } from './setting-editor';

export type Setting = components['schemas']['SettingDto'];
type Edits = Readonly<Record<string, SettingValue>>;

const { queryKey } = $api.queryOptions('get', '/api/setting');

function byCategory(settings: readonly Setting[]): [string, Setting[]][] {
  return [...Map.groupBy(settings, ({ category }) => category)];
}

function Editors({ settings }: { readonly settings: readonly Setting[] }): ReactNode {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const act = useAct();
  const [edits, setEdits] = useState<Edits>({});
  const changed = Object.keys(edits).length;
  const save = async (): Promise<void> => {
    const updates = Object.entries(edits).map(([key, value]) => ({
      key,
      value: value as never,
      version: settings.find((setting) => setting.key === key)?.version ?? 0,
    }));
    if (!(await act.run(() => api.PUT('/api/setting', { body: { updates } }), t('act.saved')))) return;
    setEdits({});
    await queryClient.invalidateQueries({ queryKey });
  };
  const edit = (key: string, value: SettingValue | undefined): void => {
    const { [key]: _before, ...others } = edits;
    setEdits(value === undefined ? others : { ...others, [key]: value });
  };
  return (
    <Stack>
      <Accordion variant="separated" multiple>
        {byCategory(settings).map(([category, members]) => (
          <Accordion.Item key={category} value={category}>
            <Accordion.Control>
              {i18n.exists(`settings.category_${category}`) ? t(`settings.category_${category}`) : category}
            </Accordion.Control>
            <Accordion.Panel>
              <Stack>
                {members.map((setting) => (
                  <SettingEditor
                    key={`${setting.key} ${setting.version}`}
                    setting={setting}
                    edited={edits[setting.key]}
                    editable={may('setting:update')}
                    onEdit={(value) => {
                      edit(setting.key, value);
                    }}
                  />
                ))}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {changed > 0 && (
        <Alert color="yellow.9" variant="outline">
          <Group justify="space-between">
            {t('settings.changed', { count: changed })}
            <Group>
              <Button
                variant="default"
                onClick={() => {
                  setEdits({});
                }}
              >
                {t('act.discard')}
              </Button>
              <Button loading={act.busy} onClick={() => void save()}>
                {t('act.save')}
              </Button>
            </Group>
          </Group>
        </Alert>
      )}
    </Stack>
  );
}

export function SettingsPage(): ReactNode {
  const { t } = useTranslation();
  const settings = $api.useQuery('get', '/api/setting');
  return (
    <Page title={t('nav.settings')} lead={t('settings.lead')}>
      <Loaded query={settings}>{({ items }) => <Editors settings={items} />}</Loaded>
    </Page>
  );
}
