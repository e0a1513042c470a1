import { DataSource } from 'typeorm';
import { StartRefusedError } from '../config';
import { listMigrations } from './migration-list';

/** Tables, their indexes, sequences and types share one set of names in a schema. */
const MADE = [
  /^CREATE (?:UNIQUE )?(?:TABLE|INDEX|SEQUENCE|FUNCTION) (\w+)/g,
  /\bCONSTRAINT (\w+) (?:PRIMARY KEY|UNIQUE)/g,
  /\bRENAME TO (\w+)/g,
];
const GIVEN_UP = [/^DROP (?:TABLE|INDEX|SEQUENCE|FUNCTION) (\w+)/g, /\bDROP CONSTRAINT (\w+)/g, /^ALTER INDEX (\w+)/g];

const namesBy = (forms: readonly RegExp[], statement: string): string[] =>
  forms.flatMap((form) => Array.from(statement.matchAll(form), ([, name = '']) => name));

/** The names that must be free before the first of the statements is run. */
function namesMadeBy(statements: readonly string[]): string[] {
  const own = new Set<string>();
  const wanted = new Set<string>();
  for (const statement of statements.map((text) => text.trim().replace(/\s+/g, ' '))) {
    for (const name of namesBy(GIVEN_UP, statement)) own.add(name);
    for (const name of namesBy(MADE, statement)) if (!own.has(name)) wanted.add(name);
    for (const name of wanted) own.add(name);
  }
  return [...wanted];
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
 * Looks at what waiting migrations would make before the first of them runs, since each is a transaction by itself: one
 * that failed would leave those before it behind. Errors: `StartRefusedError` where a name belongs to somebody else.
 */
export async function rejectTakenNames(dataSource: DataSource): Promise<void> {
  const waiting = await listMigrations(dataSource);
  const taken = await takenAmong(
    dataSource,
    namesMadeBy(waiting.flatMap(({ statements }) => statements.map(({ sql }) => sql))),
  );
  const [first] = taken;
  if (!first) return;
  const names = new Intl.ListFormat('en').format(taken.map(({ name }) => `"${name}"`));
  throw new StartRefusedError(
    `The database has ${names} in schema ${first.schema}, which Castellan did not make and needs the names of: ` +
      'give Castellan a database for itself by DATABASE_URL, or rename what is there.',
  );
}
