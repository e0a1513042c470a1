import { EnvironmentError, StartupError } from '../config';
import { isDatabaseUnavailable } from './database-errors';

export type UrlVariable = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

/** Problems of the URL by SQLSTATE, which waiting does not solve. */
const URL_PROBLEMS: Readonly<Record<string, string>> = {
  '3D000': 'names a database that does not exist',
  '28000': 'names a user that the server does not admit',
  '28P01': 'has a user or password that the server rejects',
};

/** Turns a connection error into an error about the variable; returns an error that has another cause as it is. */
export function connectionError(variable: UrlVariable, error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  const problem = URL_PROBLEMS[code ?? ''];
  const allowed = 'postgres://user:password@host:port/database of an existing database that admits the user';
  if (problem !== undefined) return new EnvironmentError([{ variable, problem, allowed }]);
  if (!isDatabaseUnavailable(error)) return error;
  return new StartupError(`${variable} names a server that is unavailable (${code ?? message})`, {
    cause: error,
  });
}
