import { PAGE } from '../components/paged-table';
import { given, useFilters } from './use-filters';

export interface List {
  readonly keyword: string;
  readonly setKeyword: (keyword: string) => void;
  readonly page: number;
  readonly setPage: (page: number) => void;
  /** What the API is asked for. */
  readonly query: { readonly keyword?: string; readonly page: number; readonly page_size: number };
}

/** Keeps the search and the page of a list in the address. */
export function useList(): List {
  const [filters, setFilter] = useFilters(['keyword', 'page']);
  const page = Number(filters.page) || 1;
  return {
    keyword: filters.keyword,
    setKeyword: (keyword) => {
      setFilter('keyword', keyword);
    },
    page,
    setPage: (to) => {
      setFilter('page', to === 1 ? '' : String(to));
    },
    query: { ...given({ keyword: filters.keyword }), page, page_size: PAGE },
  };
}
