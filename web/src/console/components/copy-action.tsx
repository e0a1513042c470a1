import { Button } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface CopyActionProps {
  /** What the button copies. */
  readonly name: string;
  readonly isCopied: boolean;
  readonly isCompact?: boolean;
  readonly onCopy: () => void;
}

/** A button that copies, and says that it did. */
export function CopyAction({ name, isCopied, isCompact = false, onCopy }: CopyActionProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Button
      variant="default"
      {...(isCompact && { size: 'compact-sm' })}
      leftSection={isCopied ? <Check /> : <Copy />}
      aria-label={isCopied ? t('act.copied') : t('act.copy_of', { what: name })}
      onClick={onCopy}
    >
      <span role="status">{t(isCopied ? 'act.copied' : 'act.copy')}</span>
    </Button>
  );
}
