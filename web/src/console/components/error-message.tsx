import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../../api/problem';

interface ErrorMessageProps {
  /** Shows nothing if null or undefined. */
  readonly error: unknown;
  /** Consequence for the data on the page. */
  readonly hint?: string;
}

/** Shows an error beside data that is already loaded. */
export function ErrorMessage({ error, hint }: ErrorMessageProps): ReactNode {
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
