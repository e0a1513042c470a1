import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Loaded, type LoadedQuery } from './loaded';
import { Pager } from './pager';
import { DataTable, type DataTableProps } from './table';

/** Rows of a page. */
export const PAGE = 20;
/** Rows that can be paged through. The service counts no further, and late pages of a long list are slow. */
const MAX_REACHED = 10_000;

interface PagedTableProps<T> extends Omit<DataTableProps<T>, 'rows' | 'more'> {
  readonly query: LoadedQuery<{ readonly items: readonly T[]; readonly total: number }>;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** A page of a list, with the buttons that lead to the others. */
export function PagedTable<T>({ query, page, onPage, ...table }: PagedTableProps<T>): ReactNode {
  return (
    <Loaded query={query}>
      {({ items, total }) => (
        <Stack>
          <DataTable {...table} rows={items} />
          <Pager page={page} pages={Math.ceil(Math.min(total, MAX_REACHED) / PAGE)} onGo={onPage} />
        </Stack>
      )}
    </Loaded>
  );
}
