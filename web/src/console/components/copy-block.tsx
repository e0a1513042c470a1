import { Code, Group, Stack, Text } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { selectContent, useCopy } from '../../shared/use-copy';
import { CopyAction } from './copy-action';

interface CopyBlockProps {
  readonly title: string;
  /** What the button copies. */
  readonly name: string;
  readonly text: string;
}

/** Code with a button that copies it. */
export function CopyBlock({ title, name, text }: CopyBlockProps): ReactNode {
  const block = useRef<HTMLDivElement>(null);
  const { outcome, copy } = useCopy();
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-end" wrap="nowrap">
        <Text size="sm">{title}</Text>
        <CopyAction
          name={name}
          isCompact
          isCopied={outcome === 'copied'}
          onCopy={() =>
            void copy(text, () => {
              if (block.current) selectContent(block.current);
            })
          }
        />
      </Group>
      <div ref={block}>
        <Code block tabIndex={0}>
          {text}
        </Code>
      </div>
    </Stack>
  );
}
