import { Typed, UsageError } from './command';
import { PageAnswer } from '../platform/lists';
import { Listed } from './output';
import { textOf } from './option';

const DEFAULT_LIMIT = 20;
const CURSOR = /^(\d{1,9})x(\d{1,3})$/;

interface NumberedPage {
  readonly page: number;
  readonly page_size: number;
}

/**
 * The page of a list that the service counts by number. The cursor holds the number and the size of the page.
 * Errors: `UsageError`.
 */
export function numberedPage(typed: Pick<Typed, 'options'>): NumberedPage {
  const cursor = textOf(typed, 'cursor');
  const limit = textOf(typed, 'limit');
  if (cursor === undefined) return { page: 1, page_size: limit === undefined ? DEFAULT_LIMIT : Number(limit) };
  const [, page, size] = CURSOR.exec(cursor) ?? [];
  if (page === undefined || size === undefined) throw new UsageError('--cursor must be the one that a list printed.');
  if (limit !== undefined && limit !== size) throw new UsageError(`--limit must be ${size} with this cursor.`);
  return { page: Number(page), page_size: Number(size) };
}

/** A numbered page as a list with a cursor. */
export function withCursor<T>(
  { page, page_size }: NumberedPage,
  { items, total, total_is_estimate: isEstimate = false }: PageAnswer<T>,
): Listed<T> {
  const isLast = items.length < page_size || (!isEstimate && page * page_size >= total);
  return { items, next_cursor: isLast ? null : `${page + 1}x${page_size}` };
}

/** The page of a list that the service returns whole, because a setting bounds it. */
export function pageOfAll<T>(page: NumberedPage, all: readonly T[]): Listed<T> {
  const start = (page.page - 1) * page.page_size;
  return withCursor(page, { ...page, items: all.slice(start, start + page.page_size), total: all.length });
}

/** The page as a query, where every value is a text. */
export const asQuery = ({ page, page_size }: NumberedPage): object => ({
  page: String(page),
  page_size: String(page_size),
});
