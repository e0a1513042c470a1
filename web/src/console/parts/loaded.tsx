import { Alert, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../../api/problem';

interface LoadedProps<T> {
  readonly query: { readonly data: T | undefined; readonly error: unknown };
  readonly children: (data: T) => ReactNode;
}

/** What a query found, or why there is nothing yet. */
export function Loaded<T>({ query, children }: LoadedProps<T>): ReactNode {
  const { t } = useTranslation();
  if (query.data !== undefined) return children(query.data);
  if (query.error == null) return <Loader aria-label={t('page.loading')} />;
  return <Alert color="red">{isProblem(query.error) ? sentenceOf(query.error) : t('page.unreachable')}</Alert>;
}
