import { Button } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { selectContent, useCopy } from '../../shared/use-copy';

/** A key or an id. A click copies it. */
export function CopyButton({ name }: { readonly name: string }): ReactNode {
  const { t } = useTranslation();
  const text = useRef<HTMLElement>(null);
  const { outcome, copy } = useCopy();
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      color="gray"
      fw={400}
      px={4}
      rightSection={outcome === 'copied' ? <Check /> : <Copy />}
      aria-label={t('act.copy_of', { what: name })}
      onClick={() =>
        void copy(name, () => {
          if (text.current) selectContent(text.current);
        })
      }
    >
      <code ref={text}>{name}</code>
      <span role="status">{outcome === 'copied' && ` ${t('act.copied')}`}</span>
    </Button>
  );
}
