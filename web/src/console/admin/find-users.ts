import { api } from '../api';

/** Enough that the name itself is among those that begin like it or are nicknamed so. */
const CANDIDATES = 50;
/** What the look-up takes: no username is shorter than the one or longer than the other. */
const [SHORTEST, LONGEST] = [2, 50];

/** The id of the user of that very name, in any case. Throws what the look-up was refused with. */
export async function findByName(name: string): Promise<string | undefined> {
  if (name.length < SHORTEST || name.length > LONGEST) return undefined;
  const { data, error } = await api.POST('/api/auth/users', { body: { keyword: name, limit: CANDIDATES } });
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- whoever asked is told the problem as it is
  if (!data) throw error;
  return data.find(({ username }) => username.toLowerCase() === name.toLowerCase())?.id;
}
