import { EnvironmentError, StartRefusedError } from '../config';
import { isDatabaseUnavailable } from './database-errors';

export type UrlVariable = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

/** SQLSTATE of what no waiting mends, and what is wrong with the address then. */
const REFUSALS: Readonly<Record<string, string>> = {
  '3D000': 'names a database that does not exist',
  '28000': 'names a user whom the server does not let in',
  '28P01': 'has a user or password that the server does not take',
};

/** Why a connection was not made, in words of its variable; what says nothing of the address, as it is. */
export function refusedConnection(variable: UrlVariable, error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  const problem = REFUSALS[code ?? ''];
  const allowed = 'postgres://user:password@host:port/database of a database that is there and lets the user in';
  if (problem !== undefined) return new EnvironmentError([{ variable, problem, allowed }]);
  if (!isDatabaseUnavailable(error)) return error;
  return new StartRefusedError(`${variable} names a server that does not serve now (${code ?? message})`, {
    cause: error,
  });
}
