import { migrations } from '../../migrations';
import { Database } from '../../src/platform/database';
import { schema } from '../../src/identity.module';
import { locksOf } from '../../src/platform/database/statement-locks';
import { itOnServer } from '../support/on-server';
import { createTestDatabase, TestDatabase } from '../support/test-database';

interface Held {
  readonly table: string;
  readonly mode: string;
}

/** Weaker ones come with every statement that reads a catalogue's entry of the table, and nobody waits for them. */
const FROM_HERE = ['ROW EXCLUSIVE', 'SHARE UPDATE EXCLUSIVE', 'SHARE', 'SHARE ROW EXCLUSIVE', 'ACCESS EXCLUSIVE'];

/** `ShareRowExclusiveLock` as the documentation of PostgreSQL writes it. */
const written = (mode: string): string =>
  mode
    .replace(/Lock$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase();

async function statementsOf(Migration: (typeof migrations)[number]): Promise<string[]> {
  const statements: string[] = [];
  await new Migration().up({ query: async (sql: string) => statements.push(sql) } as never);
  return statements;
}

describe('what migrations lock', () => {
  it('is known of each statement there is', async () => {
    const statements = (await Promise.all(migrations.map(statementsOf))).flat();
    expect(statements.length).toBeGreaterThan(100);
    expect(statements.filter((statement) => !locksOf(statement))).toEqual([]);
  });

  it.each([
    'ALTER TABLE note ADD COLUMN id bigserial',
    'ALTER TABLE note ADD COLUMN id uuid NOT NULL DEFAULT uuid_generate_v4()',
    'ALTER TABLE note ADD COLUMN length integer GENERATED ALWAYS AS (length(text)) STORED',
    'ALTER TABLE note ADD COLUMN text text UNIQUE',
    'ALTER TABLE note ADD PRIMARY KEY (id)',
    'ALTER TABLE note DROP COLUMN text, ADD CONSTRAINT note_pk PRIMARY KEY (id, at)',
    'ALTER TABLE note SET UNLOGGED',
    'ALTER TABLE note ATTACH PARTITION other DEFAULT',
    'ALTER TABLE note VALIDATE CONSTRAINT note_fk',
  ])('is not told as short of what is not known: %s', (statement) => {
    expect(locksOf(statement)).toBeUndefined();
  });

  it('is told, too, of a table whose partitions are still to come', async () => {
    const place = await createTestDatabase();
    const { url, embedded } = place;
    const where = { ...(url !== undefined && { url }), ...(embedded && { embedded }) };
    const ignore = (): void => undefined;
    const database = await Database.open(schema, { ...where, poolSize: 1, onPoolError: ignore, onWaiting: ignore });
    try {
      await place.query('DROP TABLE audit_event CASCADE');
      await place.query('CREATE TABLE audit_event (at timestamptz, target_id varchar(128)) PARTITION BY RANGE (at)');
      await place.query(`DELETE FROM castellan_migration WHERE name LIKE 'NameWholePermissionsInAudit%'`);
      const [migration] = await database.plan();
      const notes = migration?.statements.flatMap((statement) => statement.notes);
      expect(notes).toEqual([expect.stringMatching(/^locks audit_event .+; 0 bytes$/)]);
    } finally {
      await database.close();
      await place.drop();
    }
  });

  itOnServer('is what PostgreSQL locks, and writes anew', async () => {
    const database = await createTestDatabase();
    try {
      await database.query('DROP SCHEMA public CASCADE');
      await database.query('CREATE SCHEMA public');
      const found: object[] = [];
      const told: object[] = [];
      for (const Migration of migrations) {
        for (const statement of await statementsOf(Migration)) {
          told.push({ statement, locks: await toldOf(database, statement), rewrites: rewrites(statement) });
          found.push({ statement, ...(await ranAlone(database, statement)) });
        }
      }
      expect(told).toEqual(found);
    } finally {
      await database.drop();
    }
  });
});

const rewrites = (statement: string): string[] =>
  (locksOf(statement) ?? []).filter(({ work }) => work === 'rewrite').map(({ table }) => table);

const byTable = (held: readonly Held[]): Held[] => held.toSorted((a, b) => (a.table < b.table ? -1 : 1));

async function toldOf(database: TestDatabase, statement: string): Promise<Held[]> {
  const locks = (locksOf(statement) ?? []).map(async ({ table, byIndex, mode }): Promise<Held> => {
    if (!byIndex) return { table, mode };
    const [row] = await database.query<{ table: string }>(
      'SELECT indrelid::regclass::text AS table FROM pg_index WHERE indexrelid = $1::regclass',
      [table],
    );
    return { table: row?.table ?? '', mode };
  });
  return byTable(await Promise.all(locks));
}

/** Runs a statement in a transaction of its own; answers the strongest lock on each table of before, partitions with their whole, and which got new files. */
async function ranAlone(database: TestDatabase, statement: string): Promise<{ locks: Held[]; rewrites: string[] }> {
  const files = (): Promise<{ table: string; file: number }[]> =>
    database.query(
      `SELECT relname AS table, pg_relation_filenode(oid) AS file FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`,
    );
  const before = await files();
  await database.query('BEGIN');
  await database.query(statement);
  const held = await database.query<Held>(
    `SELECT relname AS table, mode FROM pg_locks JOIN pg_class ON pg_class.oid = relation
     WHERE pid = pg_backend_pid() AND locktype = 'relation' AND relname = ANY($1::text[])
       AND NOT EXISTS (SELECT FROM pg_inherits JOIN pg_locks AS of_whole ON of_whole.relation = inhparent
         WHERE inhrelid = pg_class.oid AND of_whole.pid = pg_locks.pid AND of_whole.mode = pg_locks.mode)`,
    [before.map(({ table }) => table)],
  );
  await database.query('COMMIT');
  const strongest = new Map<string, string>();
  for (const { table, mode } of held) {
    const name = written(mode);
    if (FROM_HERE.indexOf(name) > FROM_HERE.indexOf(strongest.get(table) ?? '')) strongest.set(table, name);
  }
  const after = new Map((await files()).map(({ table, file }) => [table, file]));
  return {
    locks: byTable([...strongest].map(([table, mode]) => ({ table, mode }))),
    rewrites: before
      .filter(({ table, file }) => after.has(table) && after.get(table) !== file)
      .map(({ table }) => table),
  };
}
