import { Accordion, Alert, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api } from '../api';
import { useMay } from '../may';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { SettingEditor } from './setting-editor';
import { useSettingEdits } from './use-setting-edits';

export type Setting = components['schemas']['SettingDto'];
export type SettingValue = Setting['value'];

function byCategory(settings: readonly Setting[]): [string, Setting[]][] {
  return [...Map.groupBy(settings, ({ category }) => category)];
}

function Editors({ settings }: { readonly settings: readonly Setting[] }): ReactNode {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const edits = useSettingEdits();
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
                    edited={edits.typed(setting)}
                    editable={may('setting:update')}
                    onEdit={(value) => {
                      edits.edit(setting, value);
                    }}
                  />
                ))}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      {edits.count > 0 && (
        <Alert color="yellow.9" variant="outline">
          <Group justify="space-between">
            {t('settings.changed', { count: edits.count })}
            <Group>
              <Button variant="default" onClick={edits.discard}>
                {t('act.discard')}
              </Button>
              <Button loading={edits.busy} onClick={() => void edits.save()}>
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
