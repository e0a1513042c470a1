import { useQuery } from '@tanstack/react-query';
import { api } from '../api';

const MAX_NAMES = 100;

/** Returns usernames by id. Deleted users have none. */
export function useNames(userIds: readonly (string | null)[]): ReadonlyMap<string, string> {
  const ids = [...new Set(userIds.flatMap((id) => id ?? []))].slice(0, MAX_NAMES);
  const { data } = useQuery({
    queryKey: ['names', ids],
    enabled: ids.length > 0,
    queryFn: async () => (await api.POST('/api/auth/users', { body: { ids } })).data ?? [],
  });
  return new Map(data?.map(({ id, username }) => [id, username]));
}
