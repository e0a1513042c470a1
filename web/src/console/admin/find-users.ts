import { api } from '../api';

/** Enough that the name itself is among those that begin like it or are nicknamed so. */
const CANDIDATES = 50;

/** The id of the user of that very name, in any case. */
export async function findByName(name: string): Promise<string | undefined> {
  const { data } = await api.POST('/api/auth/users', { body: { keyword: name, limit: CANDIDATES } });
  return data?.find(({ username }) => username.toLowerCase() === name.toLowerCase())?.id;
}
