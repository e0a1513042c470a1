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

export interface Person {
  readonly id: string;
  readonly username: string;
  readonly nickname: string;
}

/** Users to choose from. */
const MAX_PEOPLE = 20;

/**
 * Returns the user with exactly this username, else those with this part of a name or address. Throws the problem if the
 * lookup fails.
 *
 * @param everyStatus needs `user:admin`; otherwise only active users are found, by the beginning of a name.
 */
export async function findPeople(text: string, everyStatus: boolean): Promise<readonly Person[]> {
  const people = everyStatus ? await findOfEveryStatus(text) : await findActive(text);
  const exact = people.find(({ username }) => username.toLowerCase() === text.toLowerCase());
  return exact ? [exact] : people;
}

async function findOfEveryStatus(keyword: string): Promise<readonly Person[]> {
  const { data, error } = await api.GET('/api/user', { params: { query: { keyword, page_size: MAX_PEOPLE } } });
  // oxlint-disable-next-line typescript/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  return data.items;
}

async function findActive(keyword: string): Promise<readonly Person[]> {
  const { data, error } = await api.POST('/api/auth/users', { body: { keyword, limit: MAX_PEOPLE } });
  // oxlint-disable-next-line typescript/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  return data;
}
