import { Injectable, Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { SecretBox } from '../crypto';
import { platformErrors } from '../errors';
import { TextField } from '../http/input';
import { DEFAULT_PAGE_SIZE, PageSizeField, pageSizeOf } from './page';

const PURPOSE = 'list_cursor';

export const CursorField = (): PropertyDecorator =>
  TextField({
    description: '`next_cursor` of the previous response; empty starts at the beginning',
    max: 2_000,
    optional: true,
  });

export class CursorQueryDto {
  @CursorField() cursor?: string;
  @PageSizeField() page_size?: number;
}

/** Values, as text, of the columns that order a list, of one row. */
export type Position = readonly string[];

/** A part of a list for a query. */
export interface CursorPage {
  readonly pageSize: number;
  /** One more than the page size, to know whether the list continues. */
  readonly limit: number;
  /** Undefined: from the beginning. */
  readonly after: Position | undefined;
}

export interface CursorAnswer<T> {
  items: T[];
  next_cursor: string | null;
  page_size: number;
}

/**
 * Creates and verifies opaque, authenticated cursors of long lists. Errors: `validation_failed` for a forged cursor.
 */
@Injectable()
export class CursorsService {
  constructor(private readonly box: SecretBox) {}

  /** @param list names the list and its filters: a cursor is valid only for the list it was created for. */
  read(list: string, query: CursorQueryDto): CursorPage {
    const pageSize = pageSizeOf(query);
    const after = query.cursor ? this.open(list, query.cursor) : undefined;
    return { pageSize, limit: pageSize + 1, after };
  }

  /** @param rows up to `page.limit` rows. */
  answer<Row, T>(
    list: string,
    page: CursorPage,
    rows: readonly Row[],
    shape: { item: (row: Row) => T; position: (row: Row) => Position },
  ): CursorAnswer<T> {
    const shown = rows.slice(0, page.pageSize);
    const last = shown.at(-1);
    const hasMore = rows.length > page.pageSize && last !== undefined;
    return {
      items: shown.map((row) => shape.item(row)),
      next_cursor: hasMore ? this.seal(list, shape.position(last)) : null,
      page_size: page.pageSize,
    };
  }

  /** A cursor of the list, for lists that need no page. */
  seal(list: string, position: Position): string {
    const data = Buffer.from(JSON.stringify(position)).toString('base64url');
    return `${data}.${this.box.mac(PURPOSE, `${list}|${data}`)}`;
  }

  /** The position in a cursor of `seal`. */
  open(list: string, cursor: string): Position {
    const dot = cursor.indexOf('.');
    const data = cursor.slice(0, Math.max(dot, 0));
    if (!this.box.verifyMac(PURPOSE, `${list}|${data}`, cursor.slice(dot + 1))) {
      throw platformErrors.validationFailed({ fields: [{ field: 'cursor', code: 'cursor' }] });
    }
    return JSON.parse(Buffer.from(data, 'base64url').toString()) as Position;
  }
}

/** Creates the response class of a page for OpenAPI; extend it to name it. */
export function CursorPageOf<T>(item: Type<T>): Type<CursorAnswer<T>> {
  class CursorPageDto implements CursorAnswer<T> {
    @ApiProperty({ type: [item] }) items: T[];
    @ApiProperty({
      type: String,
      nullable: true,
      description: 'null on the last page',
      example: 'for-the-next-request',
    })
    next_cursor: string | null;
    @ApiProperty({ type: 'integer', example: DEFAULT_PAGE_SIZE }) page_size: number;
  }
  return CursorPageDto;
}
