import { Button, Group, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const SHOWN_MS = 2_000;

interface CopyFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
}

/** A value that is taken elsewhere: shown whole, and copied by a button. */
export function CopyField({ label, description, value }: CopyFieldProps): ReactNode {
  const { t } = useTranslation();
  const clipboard = useClipboard({ timeout: SHOWN_MS });
  return (
    <Group align="flex-end" wrap="nowrap" gap="xs">
      <TextInput
        flex={1}
        label={label}
        {...(description !== undefined && { description })}
        value={value}
        readOnly
        className="mono"
        onFocus={(event) => {
          event.currentTarget.select();
        }}
      />
      <Button
        variant="default"
        aria-label={clipboard.copied ? t('act.copied') : t('act.copy_of', { what: label })}
        onClick={() => {
          clipboard.copy(value);
        }}
      >
        <span role="status">{t(clipboard.copied ? 'act.copied' : 'act.copy')}</span>
      </Button>
    </Group>
  );
}
