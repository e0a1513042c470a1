import { Alert, Button, Group, List, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingEdits } from './use-setting-edits';

interface UnsavedSettingsProps {
  readonly edits: SettingEdits;
  readonly titleOf: (key: string) => string;
}

/** Save bar that stays visible while the page scrolls. It names the rejected settings, whose section may be closed. */
export function UnsavedSettings({ edits, titleOf }: UnsavedSettingsProps): ReactNode {
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
