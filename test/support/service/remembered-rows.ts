import type { TestDatabase } from './test-database';

const TABLES = `
  SELECT c.relname AS table, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  GROUP BY c.relname`;

interface Table {
  readonly table: string;
  readonly columns: readonly string[];
}

async function copyIfFilled(database: TestDatabase, { table, columns }: Table): Promise<string[]> {
  const list = columns.join(', ');
  if ((await database.query(`SELECT 1 FROM public.${table} LIMIT 1`)).length === 0) return [];
  await database.query(`CREATE TABLE remembered.${table} AS SELECT ${list} FROM public.${table}`);
  return [`INSERT INTO public.${table} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM remembered.${table};`];
}

/** As a replica: without foreign keys, whose order would matter, and without the triggers of tables that only grow. */
const asReplica = (name: string, statements: readonly string[]): string =>
  `CREATE FUNCTION remembered.${name}() RETURNS void LANGUAGE plpgsql
    SET session_replication_role = replica AS $$ BEGIN ${statements.join('\n')} END $$`;

/** Remembers the rows of all tables, for `restoreRows`. Needs a superuser. */
export async function rememberRows(database: TestDatabase): Promise<void> {
  await database.query('CREATE SCHEMA remembered');
  const tables = await database.query<Table>(TABLES);
  const statements = tables.map(({ table }) => `DELETE FROM public.${table};`);
  for (const table of tables) statements.push(...(await copyIfFilled(database, table)));
  await database.query(asReplica('restore', statements));
  const all = tables.map(({ table }) => `public.${table}`).join(', ');
  await database.query(asReplica('truncate', [`TRUNCATE ${all};`]));
}

/**
 * Deleted rows stay in the files of their tables, where later statements would read them again and again: nothing else
 * removes them where autovacuum is off.
 */
async function truncateIfCrowded(database: TestDatabase): Promise<void> {
  const dead = 'SELECT sum(n_dead_tup) > 5000 FROM pg_stat_user_tables';
  await database.query(`SELECT CASE WHEN (${dead}) THEN remembered.truncate() END`);
}

/** Restores the rows that were remembered, while nothing else uses the database. */
export async function restoreRows(database: TestDatabase): Promise<void> {
  await truncateIfCrowded(database);
  await database.query('SELECT remembered.restore()');
}
