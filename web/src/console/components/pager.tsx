import { Pagination } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  readonly onGo: (page: number) => void;
}

export function Pager({ page, pages, onGo }: PagerProps): ReactNode {
  const { t } = useTranslation();
  if (pages < 2) return null;
  return (
    <nav aria-label={t('list.pages')}>
      <Pagination
        value={page}
        total={pages}
        onChange={onGo}
        getControlProps={(control) => ({ 'aria-label': t(`list.${control}`) })}
        getItemProps={(to) => ({ 'aria-label': t('list.page', { page: to }) })}
      />
    </nav>
  );
}
