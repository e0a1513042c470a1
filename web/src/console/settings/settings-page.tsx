import { Accordion, Checkbox, Group, Stack, Text } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../api';
import { useMay } from '../use-permission';
import { FilterInput } from '../components/filter-input';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { useFilters } from '../hooks/use-filters';
import { LazySettingEditor } from './lazy-setting-editor';
import type { Setting } from './setting';
import { isFiltered, shownSettings } from './setting-filter';
import { useSettingEdits, type SettingEdits } from './use-setting-edits';

function byCategory(settings: readonly Setting[]): [string, Setting[]][] {
  return [...Map.groupBy(settings, ({ category }) => category)];
}

const UnsavedSettings = lazy(async () => ({ default: (await import('./unsaved-settings')).UnsavedSettings }));

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
            <LazySettingEditor
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
        <Suspense>
          <UnsavedSettings
            edits={edits}
            titleOf={(wanted) => settings.find(({ key }) => key === wanted)?.title ?? wanted}
          />
        </Suspense>
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
