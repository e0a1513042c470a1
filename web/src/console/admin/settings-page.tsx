import { Accordion, Alert, Button, Group, List, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api } from '../api';
import { useMay } from '../may';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { SettingEditor } from './setting-editor';
import { useSettingEdits, type SettingEdits } from './use-setting-edits';

export type Setting = components['schemas']['SettingDto'];
export type SettingValue = Setting['value'];

function byCategory(settings: readonly Setting[]): [string, Setting[]][] {
  return [...Map.groupBy(settings, ({ category }) => category)];
}

/** Save bar that stays visible while the page scrolls. It names the rejected settings, whose section may be closed. */
function Unsaved({ edits }: { readonly edits: SettingEdits }): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert color="yellow.9" variant="outline" className="in-sight">
      <Group justify="space-between">
        {t('settings.changed', { count: edits.count })}
        <Group>
          <Button variant="default" onClick={edits.discard}>
            {t('act.discard')}
          </Button>
          <Button loading={edits.act.busy} onClick={() => void edits.save()}>
            {t('act.save')}
          </Button>
        </Group>
      </Group>
      {edits.problems.length > 0 && (
        <List size="sm" mt="xs" className="wrap">
          {edits.problems.map(({ key, detail }) => (
            <List.Item key={`${key} ${detail}`}>
              <code>{key}</code> {detail}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
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
                    error={edits.problems.find(({ key }) => key === setting.key)?.detail}
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
      {edits.count > 0 && <Unsaved edits={edits} />}
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
