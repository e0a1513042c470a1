import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterInput } from './filter-input';
import type { List } from '../hooks/use-list';

/** The search of a list. */
export function ListSearch({ list }: { readonly list: List }): ReactNode {
  const { t } = useTranslation();
  return <FilterInput label={t('list.search')} type="search" value={list.keyword} onSet={list.setKeyword} />;
}
