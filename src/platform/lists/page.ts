import { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { QueryIntegerField } from '../http/input';

export const DEFAULT_PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;
/** Beyond any list, while its offset is still an exact number. */
const MAX_PAGE = 1_000_000_000_000;

export const PageSizeField = (): PropertyDecorator =>
  QueryIntegerField({
    description: 'Maximum number of items',
    min: 1,
    max: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
    optional: true,
  });

export class PageQueryDto {
  @QueryIntegerField({
    description: 'Number of the page, starting at 1',
    min: 1,
    max: MAX_PAGE,
    default: 1,
    optional: true,
  })
  page?: number;

  @PageSizeField() page_size?: number;
}

/** A page for a query. */
export interface Page {
  readonly page: number;
  readonly pageSize: number;
  readonly limit: number;
  readonly offset: number;
}

/** Number of items; an estimate above 10,000. */
export interface Total {
  readonly total: number;
  readonly isEstimate: boolean;
}

export interface PageAnswer<T> {
  items: T[];
  total: number;
  total_is_estimate?: boolean;
  page: number;
  page_size: number;
}

export const pageSizeOf = (query: { page_size?: number }): number => query.page_size ?? DEFAULT_PAGE_SIZE;

export function pageOf(query: PageQueryDto): Page {
  const pageSize = pageSizeOf(query);
  const page = query.page ?? 1;
  return { page, pageSize, limit: pageSize, offset: (page - 1) * pageSize };
}

export function listByPage<T>({ page, pageSize }: Page, items: T[], { total, isEstimate }: Total): PageAnswer<T> {
  return { items, total, ...(isEstimate && { total_is_estimate: true }), page, page_size: pageSize };
}

/** Creates the response class of a page for OpenAPI; extend it to name it. */
export function PageOf<T>(item: Type<T>): Type<PageAnswer<T>> {
  class PageDto implements PageAnswer<T> {
    @ApiProperty({ type: [item] }) items: T[];
    @ApiProperty({ type: 'integer', description: 'Exact up to 10,000', example: 42 }) total: number;
    @ApiPropertyOptional({ type: Boolean, description: 'Present and true if the total is an estimate' })
    total_is_estimate?: boolean;
    @ApiProperty({ type: 'integer', example: 1 }) page: number;
    @ApiProperty({ type: 'integer', example: DEFAULT_PAGE_SIZE }) page_size: number;
  }
  return PageDto;
}
