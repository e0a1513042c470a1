import { api } from '../api';

/** High enough to include an exact match among the users whose username or nickname starts with the name. */
const CANDIDATES = 50;
/** Length limits of a username. */
const [MIN_LENGTH, MAX_LENGTH] = [2, 50];

/** Returns the id of the user with exactly this name, case-insensitive. Throws the problem if the lookup fails. */
export async function findByName(name: string): Promise<string | undefined> {
  if (name.length < MIN_LENGTH || name.length > MAX_LENGTH) return undefined;
  const { data, error } = await api.POST('/api/auth/users', { body: { keyword: name, limit: CANDIDATES } });
  // oxlint-disable-next-line typescript/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  return data.find(({ username }) => username.toLowerCase() === name.toLowerCase())?.id;
}
