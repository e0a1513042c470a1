import { useQuery } from '@tanstack/react-query';
import { api } from '../api';
import { forgetLists } from '../query-client';
import type { Role } from './roles-page';

/** Begins the key of every list of roles. */
const rolesKey = ['get', '/api/role'];
export const reloadRoles = (): Promise<void> => forgetLists(rolesKey);

/** The most the service gives at once. */
const PAGE = 100;

async function loadAll(): Promise<readonly Role[]> {
  const roles: Role[] = [];
  for (let page = 1, total = 1; roles.length < total; page += 1) {
    const { data, error } = await api.GET('/api/role', { params: { query: { page, page_size: PAGE } } });
    if (!data) throw error as unknown;
    roles.push(...data.items);
    // Others may take roles away meanwhile.
    total = data.items.length < PAGE ? roles.length : data.total;
  }
  return roles;
}

/** Every role, to choose from: those that a select leaves out could not be chosen. */
export function useAllRoles(): readonly { readonly value: string; readonly label: string }[] {
  const { data = [] } = useQuery({ queryKey: [...rolesKey, 'all'], queryFn: loadAll });
  return data.map(({ id, scope, name }) => ({ value: id, label: `${scope} · ${name}` }));
}
