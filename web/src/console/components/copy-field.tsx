import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../shared/use-copy';
import { CopyAction } from './copy-action';

interface CopyFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  /** The user has copied the value, by the button or otherwise. */
  readonly onCopied?: () => void;
}

/** Read-only value with a copy button. */
export function CopyField({ label, description, value, onCopied }: CopyFieldProps): ReactNode {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const { outcome, copy } = useCopy();
  const isCopied = outcome === 'copied';
  useEffect(() => {
    if (isCopied) onCopied?.();
  }, [isCopied]);
  return (
    <Stack gap={0}>
      <Group align="flex-end" wrap="nowrap" gap="xs">
        <TextInput
          ref={field}
          flex={1}
          label={label}
          {...(description !== undefined && { description })}
          value={value}
          readOnly
          className="mono"
          onCopy={onCopied}
          onFocus={(event) => {
            event.currentTarget.select();
          }}
        />
        <CopyAction
          name={label}
          isCopied={isCopied}
          onCopy={() =>
            void copy(value, () => {
              field.current?.focus();
              field.current?.select();
            })
          }
        />
      </Group>
      <div role="alert">
        {outcome === 'failed' && (
          <Text size="sm" mt={4} className="danger">
            {t('act.copy_failed')}
          </Text>
        )}
      </div>
    </Stack>
  );
}
