/** PostgreSQL's names of what a statement locks a table with, and who waits for it. */
const WAITERS = {
  'ACCESS EXCLUSIVE': 'reads and writes wait',
  'SHARE ROW EXCLUSIVE': 'writes wait, reads go on',
  SHARE: 'writes wait, reads go on',
  'SHARE UPDATE EXCLUSIVE': 'reads and writes go on',
  'ROW EXCLUSIVE': 'who writes the same rows waits',
} as const;

export type LockMode = keyof typeof WAITERS;

/** What takes the time while the lock is held. */
const WORK = {
  none: 'for a moment',
  scan: 'while all of it is read',
  rewrite: 'while all of it is written anew',
  'rewrite, unless stored alike':
    'for a moment, or, where the new type is stored otherwise, while all of it is written anew',
} as const;

export type LockedWork = keyof typeof WORK;

/** A table that a statement of a migration locks. */
export interface StatementLock {
  readonly table: string;
  /** Whether `table` names one of its indexes instead. */
  readonly byIndex: boolean;
  readonly mode: LockMode;
  readonly work: LockedWork;
}

interface Kind {
  /** With the table in its first group; none: nothing that is there is locked. */
  readonly form: RegExp;
  readonly mode?: LockMode;
  readonly work?: LockedWork;
  readonly byIndex?: boolean;
}

/** The first that a statement has the form of. */
const KINDS: readonly Kind[] = [
  { form: /^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/, mode: 'SHARE', work: 'scan' },
  { form: /^ALTER TABLE (\w+) ADD COLUMN .*DEFAULT \(?(?:nextval|random|gen_random|clock_timestamp)/, work: 'rewrite' },
  { form: /^ALTER TABLE (\w+) ADD CONSTRAINT \w+ FOREIGN KEY/, mode: 'SHARE ROW EXCLUSIVE', work: 'scan' },
  { form: /^ALTER TABLE (\w+) ADD CONSTRAINT/, work: 'scan' },
  { form: /^ALTER TABLE (\w+) ALTER COLUMN \w+ TYPE/, work: 'rewrite, unless stored alike' },
  { form: /^ALTER TABLE (\w+) ALTER COLUMN \w+ SET NOT NULL/, work: 'scan' },
  { form: /^ALTER TABLE (\w+) SET \(fillfactor/, mode: 'SHARE UPDATE EXCLUSIVE' },
  // With the same value in each row, which PostgreSQL notes once.
  {
    form: /^ALTER TABLE (\w+) ADD COLUMN \w+ (?!\w*serial)\w+(?:\(\d+\))?(?: NOT NULL)?(?: DEFAULT (?:'[^']*'|\w+|now\(\)))?$/,
  },
  { form: /^ALTER TABLE (\w+) DROP (?:COLUMN|CONSTRAINT) \w+$/ },
  { form: /^ALTER TABLE (\w+) ALTER COLUMN \w+ DROP (?:NOT NULL|DEFAULT)$/ },
  { form: /^DROP TABLE (\w+)/ },
  { form: /^DROP INDEX (\w+)/, byIndex: true },
  { form: /^ALTER SEQUENCE \w+ OWNED BY/ },
  { form: /^(?:UPDATE|DELETE FROM|INSERT INTO) (\w+)/, mode: 'ROW EXCLUSIVE', work: 'scan' },
  { form: /^CREATE TRIGGER .+? ON (\w+)/, mode: 'SHARE ROW EXCLUSIVE' },
  { form: /^CREATE TABLE \w+ PARTITION OF (\w+)/ },
  { form: /^(?:ALTER INDEX|CREATE TABLE|CREATE SEQUENCE|CREATE FUNCTION|DROP FUNCTION|SET LOCAL)/ },
];

/** One whose work is the sum of several. */
const ofSeveralActions = (statement: string): boolean =>
  /^ALTER TABLE .*,/.test(statement.replace(/\((?:[^()]|\([^()]*\))*\)/g, ''));

const onOneLine = (statement: string): string => statement.trim().replace(/\s+/g, ' ');

/** The tables a statement of a migration locks, other than those it makes; undefined where its form is not known. */
export function locksOf(statement: string): StatementLock[] | undefined {
  const text = onOneLine(statement);
  const kind = KINDS.find(({ form }) => form.test(text));
  if (!kind || ofSeveralActions(text)) return undefined;
  const { form, mode = 'ACCESS EXCLUSIVE', work = 'none', byIndex = false } = kind;
  const table = form.exec(text)?.[1];
  const locks: StatementLock[] = table === undefined ? [] : [{ table, byIndex, mode, work }];
  // A foreign key puts triggers on the table it leads to.
  const referenced = new Set(Array.from(text.matchAll(/ REFERENCES (\w+)/g), ([, name = '']) => name));
  for (const name of referenced) locks.push({ table: name, byIndex: false, mode: 'SHARE ROW EXCLUSIVE', work: 'none' });
  return locks;
}

/** For a person who has to choose the hour. @param table by its own name */
export function describeLock({ mode, work }: StatementLock, table: string): string {
  return `locks ${table} ${WORK[work]} (${mode}: ${WAITERS[mode]})`;
}
