import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../../api/problem';

interface RefusedProps {
  /** Nothing is told while there is none. */
  readonly error: unknown;
  /** What that means for what is shown. */
  readonly hint?: string;
}

/** Why what was asked for did not come, beside what is there already. */
export function Refused({ error, hint }: RefusedProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div role="alert">
      {error != null && (
        <Text size="sm" className="danger">
          {isProblem(error) ? sentenceOf(error) : t('page.unreachable')} {hint}
        </Text>
      )}
    </div>
  );
}
