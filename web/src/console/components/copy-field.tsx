import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../shared/use-copy';

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
        <Button
          variant="default"
          leftSection={isCopied ? <Check /> : <Copy />}
          aria-label={isCopied ? t('act.copied') : t('act.copy_of', { what: label })}
          onClick={() =>
            void copy(value, () => {
              field.current?.focus();
              field.current?.select();
            })
          }
        >
          <span role="status">{t(isCopied ? 'act.copied' : 'act.copy')}</span>
        </Button>
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
