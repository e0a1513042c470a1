import { platformErrors } from '../errors';
import { CursorField, CursorQueryDto } from './cursors.service';
import { PageQueryDto } from './page';

/** Query of a list that supports pages and cursors. */
export class PageOrCursorQueryDto extends PageQueryDto {
  @CursorField() cursor?: string;
}

export type PageRequest<Query> =
  | { readonly by: 'page'; readonly query: Query & PageQueryDto }
  | { readonly by: 'cursor'; readonly query: Query & CursorQueryDto };

/** Returns the requested form: a cursor, even an empty one, selects the cursor form. Rejects a request for both. */
export function windowOf<Query extends PageOrCursorQueryDto>(query: Query): PageRequest<Query> {
  if (query.cursor === undefined) return { by: 'page', query };
  if (query.page === undefined) return { by: 'cursor', query };
  throw platformErrors.validationFailed({ fields: [{ field: 'page', code: 'page_or_cursor' }] });
}
