import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LazySettingEditor } from '../settings/lazy-setting-editor';
import type { Setting } from '../settings/setting';
import { useSettingEdits, type SettingEdits } from '../settings/use-setting-edits';
import { $api } from '../api';
import { useInfo } from '../info-context';
import { useMay } from '../use-permission';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { Section } from '../components/section';
import { brandingOf, DraftValues, registrationOf, sectionNames, sections, type SectionName } from './draft';
import { SignInPreview } from './sign-in-preview';
import { useUndo, type Undo } from './use-undo';

const UnsavedSettings = lazy(async () => ({ default: (await import('../settings/unsaved-settings')).UnsavedSettings }));

interface PartProps {
  readonly settings: readonly Setting[];
  readonly edits: SettingEdits;
}

function Fields({ name, settings, edits }: PartProps & { readonly name: SectionName }): ReactNode {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const keys: readonly string[] = sections[name];
  const lead = `sign_in.${name}_lead`;
  return (
    <Section title={t(`sign_in.${name}`)} lead={i18n.exists(lead) ? t(lead) : undefined}>
      {keys
        .flatMap((wanted) => settings.find(({ key }) => key === wanted) ?? [])
        .map((setting) => (
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
    </Section>
  );
}

function Preview({ settings, edits }: PartProps): ReactNode {
  const info = useInfo();
  const values = new DraftValues(settings, edits);
  const look = {
    name: values.text('app.name'),
    branding: brandingOf(values),
    registration: registrationOf(values, info),
    customCss: values.text('app.custom_css'),
  };
  return <SignInPreview look={look} />;
}

function UndoNotice({ undo, overtaken }: Pick<Undo, 'undo' | 'overtaken'>): ReactNode {
  const { t } = useTranslation();
  if (!undo && overtaken.length === 0) return null;
  const names = overtaken.map(({ title }) => title).join(', ');
  return (
    <Alert color="gray" variant="outline">
      <Group justify="space-between">
        <Text size="sm">{names === '' ? t('sign_in.saved') : t('sign_in.overtaken', { names })}</Text>
        {undo && (
          <Button size="compact-sm" variant="default" onClick={undo}>
            {t('sign_in.undo')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function Editors({ settings }: { readonly settings: readonly Setting[] }): ReactNode {
  const { edits, undo, overtaken } = useUndo(settings, useSettingEdits());
  return (
    <>
      <div className="beside-preview">
        <div className="stays">
          <Preview settings={settings} edits={edits} />
        </div>
        <Stack>
          <UndoNotice undo={undo} overtaken={overtaken} />
          {sectionNames.map((name) => (
            <Fields key={name} name={name} settings={settings} edits={edits} />
          ))}
        </Stack>
      </div>
      {edits.count > 0 && (
        <Suspense>
          <UnsavedSettings
            edits={edits}
            titleOf={(wanted) => settings.find(({ key }) => key === wanted)?.title ?? wanted}
          />
        </Suspense>
      )}
    </>
  );
}

/** The look of the login pages, with a preview of unsaved changes. */
export function SignInPage(): ReactNode {
  const { t } = useTranslation();
  const settings = $api.useQuery('get', '/api/setting');
  return (
    <Page title={t('nav.sign_in')} lead={t('sign_in.lead')} wide>
      <Loaded query={settings}>{({ items }) => <Editors settings={items} />}</Loaded>
    </Page>
  );
}
