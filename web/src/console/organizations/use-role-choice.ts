import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { optionOf, useAllRoles, type RoleOption } from '../roles/role-lists';
import { api } from '../api';

type GivableRole = components['schemas']['GivableRoleDto'];

/** Largest page size of the API. */
const PAGE = 100;

async function loadGivable(id: string): Promise<readonly GivableRole[]> {
  const roles: GivableRole[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const params: { path: { id: string }; query: { cursor: string; page_size: number } } = {
      path: { id },
      query: { cursor, page_size: PAGE },
    };
    const { data, error } = await api.GET('/api/organization/{id}/roles', { params });
    if (!data) throw error as unknown;
    roles.push(...data.items);
    cursor = data.next_cursor;
  }
  return roles;
}

/** Options of a select, in groups or not. */
type RoleOptions = (RoleOption | { group: string; items: RoleOption[] })[];

export interface RoleChoice {
  /** The id of a role whose name the user may not see. */
  readonly nameOf: (id: string) => string;
  /** The roles that the user may give, except for these. */
  readonly optionsWithout: (ids: readonly string[]) => RoleOptions;
}

/**
 * The roles that the user may give in an organization, those of the organization first; without an organization, the roles
 * of the service.
 * @param gives whether the user may give any
 */
export function useRoleChoice(organizationId: string | undefined, gives: boolean): RoleChoice {
  const { t } = useTranslation();
  const all = useAllRoles();
  const { data: givable = [] } = useQuery({
    queryKey: ['get', '/api/role', 'givable', organizationId ?? null],
    queryFn: () => loadGivable(organizationId ?? ''),
    enabled: gives && organizationId !== undefined,
  });
  const known = [...givable.map(optionOf), ...all];
  const groupsWithout = (ids: readonly string[]): RoleOptions =>
    [true, false].flatMap((isOwn) => {
      const there = givable.filter((role) => (role.organization_id !== undefined) === isOwn && !ids.includes(role.id));
      const group = t(isOwn ? 'organizations.own_roles' : 'organizations.roles_of_service');
      return there.length === 0 ? [] : [{ group, items: there.map(optionOf) }];
    });
  return {
    nameOf: (id) => known.find(({ value }) => value === id)?.label ?? id,
    optionsWithout: (ids) =>
      organizationId === undefined ? all.filter(({ value }) => !ids.includes(value)) : groupsWithout(ids),
  };
}
