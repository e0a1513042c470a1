import { platformErrors } from '../errors';
import { CursorField, CursorQueryDto } from './cursors.service';
import { PageQueryDto } from './page';

/** A list that is offered by page and by cursor. */
export class PageOrCursorQueryDto extends PageQueryDto {
  @CursorField() cursor?: string;
}

export type PageRequest<Query> =
  | { readonly by: 'page'; readonly query: Query & PageQueryDto }
  | { readonly by: 'cursor'; readonly query: Query & CursorQueryDto };

/** A cursor, even an empty one, asks for the cursor form; both forms at once are refused. */
export function windowOf<Query extends PageOrCursorQueryDto>(query: Query): PageRequest<Query> {
  if (query.cursor === undefined) return { by: 'page', query };
  if (query.page === undefined) return { by: 'cursor', query };
  throw platformErrors.validationFailed({ fields: [{ field: 'page', code: 'page_or_cursor' }] });
}
