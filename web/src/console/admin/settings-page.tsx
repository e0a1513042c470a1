import { Accordion, Alert, Button, Checkbox, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../api';
import { useMay } from '../may';
import { FilterInput } from '../parts/filter-input';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { useFilters } from '../parts/use-filters';
import type { Setting } from './setting';
import { SettingEditor } from './setting-editor';
import { isFiltered, shownSettings } from './setting-filter';
import { useSettingEdits, type SettingEdits } from './use-setting-edits';

function byCategory(settings: readonly Setting[]): [string, Setting[]][] {
  return [...Map.groupBy(settings, ({ category }) => category)];
}

interface UnsavedProps {
  readonly edits: SettingEdits;
  readonly titleOf: (key: string) => string;
}

/** Save bar that stays visible while the page scrolls. It names the rejected settings, whose section may be closed. */
function Unsaved({ edits, titleOf }: UnsavedProps): ReactNode {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  return (
    <Alert color="yellow.9" variant="outline" className="in-sight">
      <Text size="sm">{t('settings.changed', { count: edits.count })}</Text>
      <Group justify="space-between" align="flex-end">
        <TextInput
          flex={1}
          miw={200}
          label={t('settings.reason')}
          maxLength={500}
          value={reason}
          onChange={(event) => {
            setReason(event.currentTarget.value);
          }}
        />
        <Group>
          <Button variant="default" onClick={edits.discard}>
            {t('act.discard')}
          </Button>
          <Button loading={edits.act.busy} onClick={() => void edits.save(reason.trim())}>
            {t('act.save')}
          </Button>
        </Group>
      </Group>
      {edits.problems.length > 0 && (
        <List size="sm" mt="xs" className="wrap">
          {edits.problems.map(({ key, detail }) => (
            <List.Item key={`${key} ${detail}`}>
              {titleOf(key)} (<code>{key}</code>): {detail}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

interface CategoriesProps {
  readonly settings: readonly Setting[];
  readonly edits: SettingEdits;
}

function Categories({ settings, edits }: CategoriesProps): ReactNode {
  const { t, i18n } = useTranslation();
  const may = useMay();
  return byCategory(settings).map(([name, members]) => (
    <Accordion.Item key={name} value={name}>
      <Accordion.Control>
        {i18n.exists(`settings.category_${name}`) ? t(`settings.category_${name}`) : name}
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="lg">
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
  ));
}

function Editors({ settings }: { readonly settings: readonly Setting[] }): ReactNode {
  const { t } = useTranslation();
  const edits = useSettingEdits();
  const [{ category, keyword, changed }, setFilter] = useFilters(['category', 'keyword', 'changed']);
  const filter = { keyword, changed: changed !== '' };
  const shown = shownSettings(settings, filter, edits);
  const open = isFiltered(filter) ? shown.map((setting) => setting.category) : [category];
  return (
    <Stack>
      <Group align="flex-end">
        <FilterInput
          flex={1}
          miw={240}
          label={t('settings.keyword')}
          type="search"
          value={keyword}
          onSet={(typed) => {
            setFilter('keyword', typed);
          }}
        />
        <Checkbox
          mb="xs"
          label={t('settings.only_changed')}
          checked={filter.changed}
          onChange={(event) => {
            setFilter('changed', event.currentTarget.checked ? '1' : '');
          }}
        />
      </Group>
      {/* The key opens the matches of a filter, and the category of a link that leads here from this page, too. */}
      <Accordion key={`${category} ${keyword} ${changed}`} variant="separated" multiple defaultValue={open}>
        <Categories settings={shown} edits={edits} />
      </Accordion>
      {shown.length === 0 && <Text c="dimmed">{t('list.none')}</Text>}
      {edits.count > 0 && (
        <Unsaved edits={edits} titleOf={(wanted) => settings.find(({ key }) => key === wanted)?.title ?? wanted} />
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
