import { useQuery, type QueryKey } from '@tanstack/react-query';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { ofOrganization, type PlaceAccess } from '../organizations/use-place-access';
import { invalidateLists, queryClient } from '../query-client';

export type Role = components['schemas']['RoleDto'];

/** What the parts of the page of a role need. */
export interface RoleProps {
  readonly role: Role;
  readonly access: PlaceAccess;
}

/** An option of a select. */
export interface RoleOption {
  readonly value: string;
  readonly label: string;
}

/** Prefix of the query keys of all role lists. */
const rolesKey = ['get', '/api/role'];

/** Also lists of the members of organizations, which have their roles. */
export async function reloadRoles(): Promise<void> {
  await invalidateLists(['organization-members']);
  await invalidateLists(rolesKey);
}

/** Begins all keys of the role, whatever headers its requests have. */
export const roleKey = (id: string): QueryKey =>
  $api.queryOptions('get', '/api/role/{id}', { params: { path: { id } } }).queryKey;

/** Updates the cache with the response of a change. */
export function showRole(role: Role): void {
  queryClient.setQueriesData({ queryKey: roleKey(role.id) }, role);
  void reloadRoles();
}

/** Loads the role again, whose number of members has changed. */
export async function reloadRole({ id }: Role): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: roleKey(id) });
  await reloadRoles();
}

/** Largest page size of the API. */
const PAGE = 100;

interface RolesPlace extends Pick<PlaceAccess, 'organizationId'> {
  readonly headers?: Record<string, string>;
}

async function loadAll({ organizationId, headers = {} }: RolesPlace): Promise<readonly Role[]> {
  const roles: Role[] = [];
  for (let page = 1, total = 1; roles.length < total; page += 1) {
    const query = { page, page_size: PAGE, ...ofOrganization(organizationId) };
    const { data, error } = await api.GET('/api/role', { params: { query }, headers });
    if (!data) throw error as unknown;
    roles.push(...data.items);
    // The list may shrink while it loads.
    total = data.items.length < PAGE ? roles.length : data.total;
  }
  return roles;
}

export const optionOf = ({ id, scope, name }: Pick<Role, 'id' | 'scope' | 'name'>): RoleOption => ({
  value: id,
  label: `${scope} · ${name}`,
});

function useOptions(
  place: RolesPlace,
  options: { readonly enabled: boolean; readonly isWanted?: (role: Role) => boolean },
): readonly RoleOption[] {
  const { isWanted = () => true, enabled } = options;
  const queryKey = [...rolesKey, 'all', place.organizationId ?? null];
  const { data = [] } = useQuery({ queryKey, queryFn: () => loadAll(place), enabled });
  return data.filter(isWanted).map(optionOf);
}

/**
 * Loads all roles of the service as options of a select, not only the first page; none for users who may not see roles.
 * @param isWanted leaves out others.
 */
export function useAllRoles(isWanted?: (role: Role) => boolean): readonly RoleOption[] {
  const may = useMay();
  const options = { enabled: may('role:read'), ...(isWanted && { isWanted }) };
  return useOptions({ organizationId: undefined }, options);
}

/** The same for the roles of the organization or of the service. */
export function useRolesThere({ organizationId, headers, may }: PlaceAccess): readonly RoleOption[] {
  return useOptions({ organizationId, headers: headers('role:read') }, { enabled: may('role:read') });
}
