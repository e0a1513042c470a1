import { DataSource } from 'typeorm';
import { EnvironmentError } from '../config';
import { UrlVariable } from './connection-error';
import { askBesidePool } from './connection';
import { MIGRATION_TABLE } from './data-source';
import { isRightMissing } from './database-errors';

/** The names are quoted as identifiers. */
interface Parties {
  readonly role: string;
  readonly schema: string;
  /** Null: there are no tables yet. */
  readonly owner: string | null;
}

async function partiesOf(dataSource: DataSource): Promise<Parties | undefined> {
  // A failed migration keeps its connection.
  const { rows } = await askBesidePool<Parties>(
    dataSource,
    `SELECT quote_ident(current_user) AS role, quote_ident(coalesce(current_schema(), 'public')) AS schema,
       (SELECT quote_ident(pg_get_userbyid(relowner)) FROM pg_class WHERE oid = to_regclass($1)) AS owner`,
    [MIGRATION_TABLE],
  );
  return rows[0];
}

function rightsError(variable: UrlVariable, { role, schema, owner }: Parties): EnvironmentError {
  const problem = `names the role ${role}, which lacks rights in schema ${schema}`;
  const isForeign = owner !== null && owner !== role;
  const allowed = isForeign
    ? `${owner}, which owns the tables, or this one after: GRANT ${owner} TO ${role}`
    : `a role with them, such as this one after: GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role}`;
  return new EnvironmentError([{ variable, problem, allowed }]);
}

/** Runs the work. Errors: `EnvironmentError` with the statement to run if the database's role lacks rights for it. */
export async function explainingRights<T>(
  variable: UrlVariable,
  dataSource: DataSource,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const parties = isRightMissing(error) ? await partiesOf(dataSource).catch(() => undefined) : undefined;
    throw parties ? rightsError(variable, parties) : error;
  }
}
