import { useInfiniteQuery } from '@tanstack/react-query';

interface CursorPage<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

interface Answer<T> {
  readonly data?: CursorPage<T>;
  readonly error?: unknown;
}

/** State of the next page. */
export interface More {
  readonly load: () => void;
  readonly loading: boolean;
  /** Error of the last attempt. */
  readonly error: unknown;
}

export interface LongList<T> {
  readonly data: readonly T[] | undefined;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
  readonly more: More | undefined;
}

interface Options {
  /** For what other pages change: loads again whenever the list is shown. */
  readonly alwaysFresh?: boolean;
}

/** Loads a long list page by page with a cursor. */
export function useCursorPages<T>(
  key: readonly unknown[],
  load: (cursor: string) => Promise<Answer<T>>,
  { alwaysFresh = false }: Options = {},
): LongList<T> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam }) => {
      const { data, error } = await load(pageParam);
      if (!data) throw error;
      return data;
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    ...(alwaysFresh && { staleTime: 0 }),
  });
  const loadMore = (): void => void query.fetchNextPage();
  return {
    data: query.data?.pages.flatMap(({ items }) => items),
    error: query.error,
    refetch: query.refetch,
    more: query.hasNextPage
      ? { load: loadMore, loading: query.isFetchingNextPage, error: query.isFetchNextPageError ? query.error : null }
      : undefined,
  };
}
