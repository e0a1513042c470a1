import { mayDo, rankOf, type Grant } from '../../shared/permissions';
import type { CatalogueEntry } from './permissions-page';

type Named = Pick<Grant, 'scope' | 'permission_id'>;

const key = ({ scope, permission_id }: Named): string => `${scope}:${permission_id}`;

/** Returns the preselected level: the granted level, else the lowest level that the permission requires. */
export function usualLevel(named: Named, held: readonly Grant[], catalogue: readonly CatalogueEntry[]): number {
  const isNamed = (other: Named): boolean => key(other) === key(named);
  const [, action = ''] = named.permission_id.split(':');
  return held.find(isNamed)?.level ?? catalogue.find(isNamed)?.required_level ?? rankOf(action);
}

/** Returns the catalogue entries that become usable when the grant is added or its level changes. */
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
