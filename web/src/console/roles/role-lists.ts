import { useQuery } from '@tanstack/react-query';
import type { components } from '../../api/schema';
import { api } from '../api';
import { useMay } from '../may';
import { invalidateLists } from '../query-client';

export type Role = components['schemas']['RoleDto'];

/** Prefix of the query keys of all role lists. */
const rolesKey = ['get', '/api/role'];
export const reloadRoles = (): Promise<void> => invalidateLists(rolesKey);

/** Largest page size of the API. */
const PAGE = 100;

async function loadAll(): Promise<readonly Role[]> {
  const roles: Role[] = [];
  for (let page = 1, total = 1; roles.length < total; page += 1) {
    const { data, error } = await api.GET('/api/role', { params: { query: { page, page_size: PAGE } } });
    if (!data) throw error as unknown;
    roles.push(...data.items);
    // The list may shrink while it loads.
    total = data.items.length < PAGE ? roles.length : data.total;
  }
  return roles;
}

/**
 * Loads all roles as options of a select, not only the first page; none for users who may not see roles.
 * @param isWanted leaves out others.
 */
export function useAllRoles(
  isWanted: (role: Role) => boolean = () => true,
): readonly { readonly value: string; readonly label: string }[] {
  const may = useMay();
  const { data = [] } = useQuery({ queryKey: [...rolesKey, 'all'], queryFn: loadAll, enabled: may('role:read') });
  return data.filter(isWanted).map(({ id, scope, name }) => ({ value: id, label: `${scope} · ${name}` }));
}
