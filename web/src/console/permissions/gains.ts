import { can, levelNames, rankOf, type Permission } from 'castellan-client';
import type { CatalogueEntry } from './catalogue';

type Named = Pick<Permission, 'scope' | 'permission_id'>;

const key = ({ scope, permission_id }: Named): string => `${scope}:${permission_id}`;

const ALL = '*';

/** Whether the grant names more than one permission. */
export const isBroad = ({ scope, permission_id: permission }: Named): boolean =>
  scope === ALL || permission.split(':').includes(ALL);

/**
 * Returns the preselected level: the granted level, else the lowest level that the permission requires. For several
 * permissions it is the lowest level that adds one of them.
 */
export function usualLevel(named: Named, held: readonly Permission[], catalogue: readonly CatalogueEntry[]): number {
  const isNamed = (other: Named): boolean => key(other) === key(named);
  const [, action = ''] = named.permission_id.split(':');
  const given = held.find(isNamed)?.level ?? catalogue.find(isNamed)?.required_level;
  if (given !== undefined) return given;
  if (!isBroad(named)) return action === '' ? 1 : rankOf(action);
  const levels = levelNames.map((_, index) => index + 1);
  return levels.find((level) => gainsOf(held, { ...named, level }, catalogue).length > 0) ?? 1;
}

/** Returns the catalogue entries that become usable when the grant is added or its level changes. */
export function gainsOf(
  held: readonly Permission[],
  added: Permission,
  catalogue: readonly CatalogueEntry[],
): readonly CatalogueEntry[] {
  const after = [...held.filter((grant) => key(grant) !== key(added)), added];
  const opens = (
    permissions: readonly Permission[],
    { scope, permission_id, required_level }: CatalogueEntry,
  ): boolean =>
    can(
      { permissions, required_levels: [{ scope, permission_id, level: required_level }] },
      `${scope}:${permission_id}`,
    );
  return catalogue.filter((entry) => opens(after, entry) && !opens(held, entry));
}
