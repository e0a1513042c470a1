import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { selectContent, useCopy } from '../../shared/use-copy';

interface CopyBlockProps {
  readonly title: string;
  /** What the button copies. */
  readonly name: string;
  readonly text: string;
}

/** Code with a button that copies it. */
export function CopyBlock({ title, name, text }: CopyBlockProps): ReactNode {
  const { t } = useTranslation();
  const block = useRef<HTMLDivElement>(null);
  const { outcome, copy } = useCopy();
  const isCopied = outcome === 'copied';
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-end" wrap="nowrap">
        <Text size="sm">{title}</Text>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={isCopied ? <Check /> : <Copy />}
          aria-label={isCopied ? t('act.copied') : t('act.copy_of', { what: name })}
          onClick={() =>
            void copy(text, () => {
              if (block.current) selectContent(block.current);
            })
          }
        >
          <span role="status">{t(isCopied ? 'act.copied' : 'act.copy')}</span>
        </Button>
      </Group>
      <div ref={block}>
        <Code block tabIndex={0}>
          {text}
        </Code>
      </div>
    </Stack>
  );
}
