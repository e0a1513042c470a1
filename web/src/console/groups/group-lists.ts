import type { QueryKey } from '@tanstack/react-query';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { invalidateLists, queryClient } from '../query-client';
import { ofOrganization, type PlaceAccess } from '../organizations/use-place-access';

export type Group = components['schemas']['GroupDto'];

/** What the parts of the page of a group need. */
export interface GroupProps {
  readonly group: Group;
  readonly access: PlaceAccess;
}

/** Prefix of the query keys of all group lists. */
export const groupsKey = ['get', '/api/group'];
export const reloadGroups = (): Promise<void> => invalidateLists(groupsKey);

/** Begins all keys of the group, whatever headers its requests have. */
export const groupKey = (id: string): QueryKey =>
  $api.queryOptions('get', '/api/group/{id}', { params: { path: { id } } }).queryKey;

/** Updates the cache with the response of a change. A moved group changes the paths of others. */
export async function showGroup(group: Group): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['get', '/api/group/{id}'] });
  queryClient.setQueriesData({ queryKey: groupKey(group.id) }, group);
  await reloadGroups();
}

export const pathOf = ({ path }: Pick<Group, 'path'>): string => path.join(' / ');

/** High enough to include an exact match among the groups whose name contains the text. */
const CANDIDATES = 100;

/**
 * Returns the group of the organization, or of the service, with exactly this name, case-insensitive. Throws the problem
 * if the search fails.
 */
export async function findGroup(name: string, { organizationId, headers }: PlaceAccess): Promise<Group | undefined> {
  const params = { query: { keyword: name, page_size: CANDIDATES, ...ofOrganization(organizationId) } };
  const { data, error } = await api.GET('/api/group', { params, headers: headers('group:read') });
  // oxlint-disable-next-line typescript/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  return data.items.find((group) => group.name.toLowerCase() === name.toLowerCase());
}
