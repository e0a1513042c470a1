import { DataSource, MigrationInterface } from 'typeorm';
import { StartupError } from '../config';
import { MIGRATION_TABLE, ServiceMigration } from './data-source';
import { listMigrations } from './migration-list';

interface MigrationTable {
  /** `r` for a plain table. */
  readonly kind: string;
  readonly columns: readonly string[];
}

/** Whether TypeORM's migration table is there and lists our migrations, or none yet. */
async function isMigrationTableOurs(dataSource: DataSource): Promise<boolean> {
  const [table] = await dataSource.query<MigrationTable[]>(
    `SELECT relkind AS kind, ARRAY(SELECT attname::text FROM pg_attribute
                                   WHERE attrelid = relation.oid AND attnum > 0 AND NOT attisdropped) AS columns
     FROM pg_class AS relation WHERE relname = $1 AND relnamespace = current_schema()::regnamespace`,
    [MIGRATION_TABLE],
  );
  if (table?.kind !== 'r' || !['id', 'timestamp', 'name'].every((name) => table.columns.includes(name))) return false;
  const rows = await dataSource.query<{ name: string }[]>(`SELECT name FROM ${MIGRATION_TABLE}`);
  const own = new Set(dataSource.migrations.map(({ name }) => name));
  return rows.length === 0 || rows.some(({ name }) => own.has(name));
}

/** The names that pending migrations add; a name of an executed one is ours, even if a later migration dropped it. */
async function namesToCreate(dataSource: DataSource): Promise<string[]> {
  const all: readonly ServiceMigration[] = dataSource.migrations;
  if (!(await isMigrationTableOurs(dataSource))) {
    return [MIGRATION_TABLE, ...all.flatMap(({ creates = [] }) => creates)];
  }
  const pending = new Set((await listMigrations(dataSource)).filter((one) => one.isPending).map(({ name }) => name));
  const isPending = ({ name = '' }: MigrationInterface): boolean => pending.has(name);
  const own = new Set(all.filter((one) => !isPending(one)).flatMap(({ creates = [] }) => creates));
  return all.filter(isPending).flatMap(({ creates = [] }) => creates.filter((name) => !own.has(name)));
}

interface Taken {
  readonly name: string;
  readonly schema: string;
}

function takenAmong(dataSource: DataSource, names: readonly string[]): Promise<Taken[]> {
  return dataSource.query<Taken[]>(
    `SELECT DISTINCT found.name COLLATE "C" AS name, current_schema() AS schema
     FROM (SELECT relname::text AS name, relnamespace AS namespace FROM pg_class
           UNION ALL SELECT typname::text, typnamespace FROM pg_type
           UNION ALL SELECT proname::text, pronamespace FROM pg_proc) AS found
     WHERE found.namespace = current_schema()::regnamespace AND found.name = ANY ($1::text[])
     ORDER BY 1`,
    [names],
  );
}

/**
 * Checks the names of all pending migrations before the first of them runs: each is a transaction, so a later failure
 * would leave the earlier ones behind. Errors: `StartupError` naming every table, index or function in the way.
 */
export async function rejectTakenNames(dataSource: DataSource): Promise<void> {
  const taken = await takenAmong(dataSource, await namesToCreate(dataSource));
  const [first] = taken;
  if (!first) return;
  const names = new Intl.ListFormat('en').format(taken.map(({ name }) => `"${name}"`));
  throw new StartupError(
    `The database has ${names} in schema ${first.schema}, which Castellan did not create and needs the names of: ` +
      'give Castellan a database for itself by DATABASE_URL, or rename what is there.',
  );
}
