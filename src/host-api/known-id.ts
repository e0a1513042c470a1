import { platformErrors } from '../platform/errors';
import { isId } from '../platform/util';

/** The database accepts UUIDs only. Throws `not_found` for another text, as for an unknown id. */
export function knownId(text: string): string {
  if (!isId(text)) throw platformErrors.notFound();
  return text;
}
