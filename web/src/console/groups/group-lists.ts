import type { QueryKey } from '@tanstack/react-query';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { invalidateLists, queryClient } from '../query-client';

export type Group = components['schemas']['GroupDto'];

/** Prefix of the query keys of all group lists. */
export const groupsKey = ['get', '/api/group'];
export const reloadGroups = (): Promise<void> => invalidateLists(groupsKey);

export const groupKey = (id: string): QueryKey =>
  $api.queryOptions('get', '/api/group/{id}', { params: { path: { id } } }).queryKey;

/** Updates the cache with the response of a change. A moved group changes the paths of others. */
export async function showGroup(group: Group): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['get', '/api/group/{id}'] });
  queryClient.setQueryData(groupKey(group.id), group);
  await reloadGroups();
}

export const pathOf = ({ path }: Pick<Group, 'path'>): string => path.join(' / ');

/** High enough to include an exact match among the groups whose name contains the text. */
const CANDIDATES = 100;

/** Returns the group with exactly this name, case-insensitive. Throws the problem if the search fails. */
export async function findGroup(name: string): Promise<Group | undefined> {
  const params = { query: { keyword: name, page_size: CANDIDATES } };
  const { data, error } = await api.GET('/api/group', { params });
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  return data.items.find((group) => group.name.toLowerCase() === name.toLowerCase());
}
