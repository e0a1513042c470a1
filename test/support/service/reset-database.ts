import type { Client } from 'pg';

/** A database that has grown by more is slower to use than a new copy. */
const MAX_GROWTH_BYTES = 8 * 1024 * 1024;

const IN_PUBLIC = `n.nspname = 'public'`;
/** Indexes and sequences belong to tables. */
const TABLES = `SELECT c.oid, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE ${IN_PUBLIC} AND c.relkind IN ('r', 'p')`;

/** All that tests may change besides rows, a line each. */
const SCHEMA = `
  SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS schema FROM (
    SELECT format('class %s %s %s %s', c.relname, c.relkind, c.relrowsecurity, c.reloptions) AS line
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${IN_PUBLIC}
    UNION ALL
    SELECT format('column %s %s %s %s %s', t.relname, a.attnum, a.attname, a.atttypid, a.attnotnull)
    FROM pg_attribute a JOIN (${TABLES}) t ON t.oid = a.attrelid WHERE a.attnum > 0
    UNION ALL
    SELECT format('default %s %s', t.relname, pg_get_expr(d.adbin, d.adrelid))
    FROM pg_attrdef d JOIN (${TABLES}) t ON t.oid = d.adrelid
    UNION ALL
    SELECT format('constraint %s %s %s', t.relname, k.conname, pg_get_constraintdef(k.oid))
    FROM pg_constraint k JOIN (${TABLES}) t ON t.oid = k.conrelid
    UNION ALL
    SELECT format('trigger %s %s %s', t.relname, g.tgname, g.tgenabled)
    FROM pg_trigger g JOIN (${TABLES}) t ON t.oid = g.tgrelid
    UNION ALL
    SELECT format('function %s %s', p.proname, p.prosrc)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ${IN_PUBLIC}
    UNION ALL
    SELECT format('namespace %s', nspname) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_'
    UNION ALL
    SELECT format('extension %s', extname) FROM pg_extension
    UNION ALL
    SELECT format('publication %s', pubname) FROM pg_publication
    UNION ALL
    SELECT format('event trigger %s', evtname) FROM pg_event_trigger
    UNION ALL
    SELECT format('settings %s %s', setrole, setconfig) FROM pg_db_role_setting
    WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) AS lines`;

/** A database as its migrations left it. */
export interface FreshState {
  readonly tables: readonly string[];
  /** Puts back the rows and the sequences. */
  readonly restore: string;
  readonly schema: string;
  readonly bytes: number;
}

async function valueOf<T>(client: Client, sql: string): Promise<T> {
  const { rows } = await client.query<Record<string, T>>(sql);
  return Object.values(rows[0] ?? {})[0] as T;
}

const namesIn = async (client: Client, tables: string): Promise<string[]> =>
  (await valueOf<string[] | null>(client, `SELECT array_agg(relname::text ORDER BY relname) FROM (${tables}) t`)) ?? [];
const schemaOf = (client: Client): Promise<string> => valueOf(client, SCHEMA);
const bytesOf = async (client: Client): Promise<number> =>
  Number(await valueOf(client, 'SELECT pg_database_size(current_database())'));

async function rowsOf(client: Client, table: string): Promise<string[]> {
  const rows = await valueOf<string | null>(client, `SELECT json_agg(t)::text FROM public.${table} t`);
  if (rows === null) return [];
  const values = client.escapeLiteral(rows);
  return [`INSERT INTO public.${table} SELECT * FROM json_populate_recordset(NULL::public.${table}, ${values})`];
}

const sequencesOf = (client: Client): Promise<string[] | null> =>
  valueOf(
    client,
    `SELECT array_agg(format('SELECT setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
       coalesce(last_value, start_value), last_value IS NOT NULL)) FROM pg_sequences WHERE schemaname = 'public'`,
  );

/** Reads the state to which `resetDatabase` returns. */
export async function readFreshState(client: Client): Promise<FreshState> {
  const tables = await namesIn(client, TABLES);
  // A partitioned table holds the rows of its partitions.
  const filled = await namesIn(client, `${TABLES} AND NOT c.relispartition`);
  const statements = filled.map((table) => `DELETE FROM public.${table}`);
  for (const table of filled) statements.push(...(await rowsOf(client, table)));
  statements.push(...((await sequencesOf(client)) ?? []));
  return { tables, restore: statements.join(';\n'), schema: await schemaOf(client), bytes: await bytesOf(client) };
}

async function dropWhatWasAdded(client: Client, fresh: FreshState): Promise<void> {
  const added = (await namesIn(client, TABLES)).filter((table) => !fresh.tables.includes(table));
  const tables = added.map((table) => `public.${client.escapeIdentifier(table)}`);
  if (tables.length > 0) await client.query(`DROP TABLE ${tables.join(', ')} CASCADE`);
  await client.query('DROP SCHEMA IF EXISTS remembered CASCADE');
}

/**
 * Puts a database back into the state after its migrations, in a tenth of the time that a new copy takes. Needs a
 * superuser.
 * @returns whether nothing is left that a test changed. Positions of events go on, and other tests may run on it.
 */
export async function resetDatabase(client: Client, fresh: FreshState): Promise<boolean> {
  await dropWhatWasAdded(client, fresh);
  if ((await schemaOf(client)) !== fresh.schema) return false;
  // As a replica: without foreign keys, whose order would matter, and without the triggers of tables that only grow.
  await client.query(`SET session_replication_role = replica; ${fresh.restore}`);
  return (await bytesOf(client)) - fresh.bytes < MAX_GROWTH_BYTES;
}
