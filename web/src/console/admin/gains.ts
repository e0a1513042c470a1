import { mayDo, type Grant } from '../../shared/permissions';
import type { CatalogueEntry } from './permissions-page';

const key = ({ scope, permission_id }: Grant): string => `${scope}:${permission_id}`;

/** What of the catalogue a holder of the grants can use once this one is added (or its level set), and could not before. */
export function gainsOf(
  held: readonly Grant[],
  added: Grant,
  catalogue: readonly CatalogueEntry[],
): readonly CatalogueEntry[] {
  const after = [...held.filter((grant) => key(grant) !== key(added)), added];
  const opens = (grants: readonly Grant[], { scope, permission_id, required_level }: CatalogueEntry): boolean =>
    mayDo(grants, scope, permission_id, required_level);
  return catalogue.filter((entry) => opens(after, entry) && !opens(held, entry));
}
