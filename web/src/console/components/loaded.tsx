import { Alert, Button, Stack } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../../api/problem';
import { placeOf } from '../../session/places';

export interface LoadedQuery<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  /** Retries the query. */
  readonly refetch?: () => Promise<unknown>;
}

interface LoadedProps<T> {
  readonly query: LoadedQuery<T>;
  readonly children: (data: T) => ReactNode;
}

/** Takes about the place of the content, so that the page does not jump. */
export function Waiting(): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack role="progressbar" aria-label={t('page.loading')} className="waiting">
      <div />
      <div />
      <div />
    </Stack>
  );
}

/** Shows the result of a query, or why it is not there yet. */
export function Loaded<T>({ query, children }: LoadedProps<T>): ReactNode {
  const { t } = useTranslation();
  if (query.data !== undefined) return children(query.data);
  if (query.error == null) return <Waiting />;
  const { error, refetch } = query;
  const place = placeOf(error);
  return (
    <Alert color="red">
      <Stack align="flex-start">
        {isProblem(error) ? sentenceOf(error) : t('page.unreachable')}
        {place && (
          <Button component="a" href={place.path} variant="default">
            {t(`nav.${place.name}`)}
          </Button>
        )}
        {refetch && !place && (
          <Button variant="default" leftSection={<RotateCw />} onClick={() => void refetch()}>
            {t('act.reload')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
