import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../components/copy-button';
import { SettingInput } from './setting-input';
import type { Setting, SettingValue } from './setting';

const SettingHistory = lazy(async () => ({ default: (await import('./setting-history')).SettingHistory }));

interface EditorProps {
  readonly setting: Setting;
  /** Undefined if the stored value is unchanged. */
  readonly edited: SettingValue | undefined;
  readonly error: string | undefined;
  readonly editable: boolean;
  readonly onEdit: (value: SettingValue | undefined) => void;
}

export function SettingEditor({ setting, edited, error, editable, onEdit }: EditorProps): ReactNode {
  const { t } = useTranslation();
  const [showsHistory, setShowsHistory] = useState(false);
  const isToBeDefault = edited === null;
  return (
    <Stack gap={4}>
      <SettingInput
        label={setting.title}
        setting={isToBeDefault ? { ...setting, is_set: false } : setting}
        value={isToBeDefault ? setting.default_value : (edited ?? setting.value)}
        disabled={!editable}
        error={error}
        onChange={onEdit}
      />
      <Group gap="xs">
        {/* Code, the command line and the audit log use the key. */}
        <CopyButton name={setting.key} />
        {setting.version > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={showsHistory}
            onClick={() => {
              setShowsHistory(!showsHistory);
            }}
          >
            {t('settings.history')}
          </Button>
        )}
        {editable && setting.is_set && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              onEdit(null);
            }}
          >
            {t('settings.to_default')}
          </Button>
        )}
        {isToBeDefault && (
          <Text size="sm" c="dimmed">
            {t('settings.will_be_default')}
          </Text>
        )}
      </Group>
      {showsHistory && (
        <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
          <SettingHistory setting={setting} editable={editable} />
        </Suspense>
      )}
    </Stack>
  );
}
