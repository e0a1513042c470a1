import { Injectable, Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { SecretBox } from '../crypto';
import { platformErrors } from '../errors';
import { TextField } from '../input';
import { DEFAULT_PAGE_SIZE, PageSizeField, pageSizeOf } from './page';

const PURPOSE = 'list_cursor';

export const CursorField = (): PropertyDecorator =>
  TextField({ description: '`next_cursor` of the answer before; empty: from the start', max: 2_000, optional: true });

export class CursorQueryDto {
  @CursorField() cursor?: string;
  @PageSizeField() page_size?: number;
}

/** The texts of the columns a list is ordered by, of one row. */
export type Position = readonly string[];

/** A stretch of a list as a query needs it. */
export interface CursorPage {
  readonly pageSize: number;
  /** One more than is answered: whether that one is there tells whether the list goes on. */
  readonly limit: number;
  /** undefined: from the start. */
  readonly after: Position | undefined;
}

export interface CursorAnswer<T> {
  items: T[];
  next_cursor: string | null;
  page_size: number;
}

/** Cursors of long lists: opaque, and refused (400 `validation_failed`) when they are not as we made them. */
@Injectable()
export class CursorsService {
  constructor(private readonly box: SecretBox) {}

  /** @param list names the list and its filters: a cursor continues only the list it was made for. */
  read(list: string, query: CursorQueryDto): CursorPage {
    const pageSize = pageSizeOf(query);
    const after = query.cursor ? this.open(list, query.cursor) : undefined;
    return { pageSize, limit: pageSize + 1, after };
  }

  /** @param rows up to `stretch.limit` of them. */
  answer<Row, T>(
    list: string,
    stretch: CursorPage,
    rows: readonly Row[],
    shape: { item: (row: Row) => T; position: (row: Row) => Position },
  ): CursorAnswer<T> {
    const shown = rows.slice(0, stretch.pageSize);
    const last = shown.at(-1);
    const goesOn = rows.length > stretch.pageSize && last !== undefined;
    return {
      items: shown.map((row) => shape.item(row)),
      next_cursor: goesOn ? this.seal(list, shape.position(last)) : null,
      page_size: stretch.pageSize,
    };
  }

  private seal(list: string, position: Position): string {
    const data = Buffer.from(JSON.stringify(position)).toString('base64url');
    return `${data}.${this.box.mac(PURPOSE, `${list}|${data}`)}`;
  }

  private open(list: string, cursor: string): Position {
    const dot = cursor.indexOf('.');
    const data = cursor.slice(0, Math.max(dot, 0));
    if (!this.box.verifyMac(PURPOSE, `${list}|${data}`, cursor.slice(dot + 1))) {
      throw platformErrors.validationFailed({ fields: [{ field: 'cursor', code: 'cursor' }] });
    }
    return JSON.parse(Buffer.from(data, 'base64url').toString()) as Position;
  }
}

/** The class of a stretch's answer, for OpenAPI; name it by extending it. */
export function CursorPageOf<T>(item: Type<T>): Type<CursorAnswer<T>> {
  class CursorPageDto implements CursorAnswer<T> {
    @ApiProperty({ type: [item] }) items: T[];
    @ApiProperty({ type: String, nullable: true, description: 'null at the end', example: 'for-the-next-request' })
    next_cursor: string | null;
    @ApiProperty({ type: 'integer', example: DEFAULT_PAGE_SIZE }) page_size: number;
  }
  return CursorPageDto;
}
