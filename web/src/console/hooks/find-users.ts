import { api } from '../api';

/** High enough to include an exact match among the users whose username or nickname starts with the name. */
const CANDIDATES = 50;
/** Length limits of a username. */
const [MIN_LENGTH, MAX_LENGTH] = [2, 50];

/** Returns the id of the active user with exactly this name, case-insensitive. Throws the problem if the lookup fails. */
export const findByName = async (name: string): Promise<string | undefined> =>
  exactly(name, await findActive(name))?.id;

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
  const exact = exactly(text, people);
  return exact ? [exact] : people.slice(0, MAX_PEOPLE);
}

const exactly = (name: string, people: readonly Person[]): Person | undefined =>
  people.find(({ username }) => username.toLowerCase() === name.toLowerCase());

async function findOfEveryStatus(keyword: string): Promise<readonly Person[]> {
  const { data, error } = await api.GET('/api/user', { params: { query: { keyword, page_size: MAX_PEOPLE } } });
  // oxlint-disable-next-line typescript/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  return data.items;
}

async function findActive(keyword: string): Promise<readonly Person[]> {
  if (keyword.length < MIN_LENGTH || keyword.length > MAX_LENGTH) return [];
  const { data, error } = await api.POST('/api/auth/users', { body: { keyword, limit: CANDIDATES } });
  // oxlint-disable-next-line typescript/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  return data;
}
