import { platformErrors } from '../platform/errors';
import { CsvRow, readCsv, UnreadableCsv } from '../platform/util';
import { ATTRIBUTE_COLUMN } from '../users/attributes';
import { ForeignEntry, ForeignUser } from './foreign-user';

/** Users of one file, which one transaction writes. */
export const MAX_CSV_USERS = 500;

/** Roles of one user. */
export const MAX_CSV_ROLES = 100;

const READ = [
  'username',
  'nickname',
  'email',
  'email_verified',
  'phone',
  'phone_verified',
  'locale',
  'status',
  'roles',
] as const;
type ReadColumn = (typeof READ)[number];

/** Columns of an export that an import ignores. */
const IGNORED: readonly string[] = [
  'id',
  'former_username',
  'has_second_factor',
  'created_at',
  'last_login_at',
  'terms_version',
  'terms_accepted_at',
];
const KNOWN: readonly string[] = [...READ, ...IGNORED];

const CHOICES: Readonly<Partial<Record<ReadColumn, readonly string[]>>> = {
  email_verified: ['true', 'false'],
  phone_verified: ['true', 'false'],
  status: ['active', 'disabled'],
};

export interface CsvUser {
  readonly line: number;
  readonly entry: ForeignEntry;
}

type Cells = Readonly<Partial<Record<ReadColumn, string>>>;

interface NamedRow {
  readonly line: number;
  readonly cells: Cells;
}

/**
 * The users of a CSV file whose first line names the columns. The username, or else the e-mail address, identifies a
 * user when the file is imported again. Throws `validation_failed` for a file that cannot be read as a whole.
 * @param attributes the names of those that are defined
 */
export function csvUsers(text: string, attributes: readonly string[] = []): CsvUser[] {
  requireDecoded(text);
  const [head, ...rows] = rowsOf(text);
  const columns = withoutEmptyEnd(head?.cells ?? []).map((name) => name.trim().toLowerCase());
  requireColumns(columns, attributes);
  if (rows.length === 0) throw invalid('csv_empty');
  if (rows.length > MAX_CSV_USERS) throw invalid('csv_users', { max: MAX_CSV_USERS });
  const users = rows.map((row) => ({ line: row.line, cells: cellsOf(row, columns) }));
  requireDistinct(users);
  return users.map(({ line, cells }) => ({ line, entry: entryOf(cells) }));
}

/** A workbook is a ZIP archive. */
const WORKBOOK = 'PK\u0003\u0004';

/** Decoders write this character in place of what is not of their encoding. */
function requireDecoded(text: string): void {
  if (text.startsWith(WORKBOOK)) throw invalid('csv_workbook');
  if (text.includes('\0')) throw invalid('csv_utf16');
  const place = text.indexOf('\uFFFD');
  if (place >= 0) throw invalid('csv_encoding', { line: text.slice(0, place).split(/\r\n|\n|\r/).length });
}

/** The line with the columns, and no more users than it takes to see that they are too many. */
function rowsOf(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  try {
    for (const row of readCsv(text)) {
      if (rows.push(row) > MAX_CSV_USERS + 1) break;
    }
    return rows;
  } catch (error) {
    throw error instanceof UnreadableCsv ? invalid('csv_quotes', { line: error.line }) : error;
  }
}

function requireColumns(columns: readonly string[], attributes: readonly string[]): void {
  const ofAttributes = attributes.map((name) => ATTRIBUTE_COLUMN + name);
  const known = new Set([...KNOWN, ...ofAttributes]);
  const odd = columns.find((name, place) => !known.has(name) || columns.indexOf(name) !== place);
  const readable = [...READ, ...ofAttributes].join(', ');
  if (odd !== undefined) throw invalid('csv_column', { column: odd.slice(0, 60), columns: readable });
  if (!columns.includes('username') && !columns.includes('email')) throw invalid('csv_names');
}

/** Spreadsheets write the cells of columns that were used once, too. */
function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
}

function cellsOf({ line, cells }: CsvRow, columns: readonly string[]): Cells {
  if (withoutEmptyEnd(cells).length > columns.length) throw invalid('csv_width', { line, max: columns.length });
  const named = columns.map((name, place) => [name, cells[place]?.trim() ?? ''] as const);
  for (const [column, cell] of named) {
    const choices = CHOICES[column as ReadColumn];
    if (choices && cell !== '' && !choices.includes(cell.toLowerCase())) {
      throw invalid('csv_choice', { line, column, options: choices.join(', ') });
    }
  }
  const found: Cells = Object.fromEntries(named.filter(([, cell]) => cell !== ''));
  if (rolesOf(found).length > MAX_CSV_ROLES) throw invalid('csv_roles', { line, max: MAX_CSV_ROLES });
  return found;
}

const rolesOf = ({ roles }: Cells): string[] => [...new Set(roles?.split(/\s+/))];

/** A user is one line: a second one with the name would change nothing. */
function requireDistinct(users: readonly NamedRow[]): void {
  const lines = new Map<string, number>();
  for (const { line, cells } of users) {
    const names = [cells.username, cells.email].flatMap((name) => name?.toLowerCase() ?? []);
    const first = names.map((name) => lines.get(name)).find((earlier) => earlier !== undefined);
    if (first !== undefined) throw invalid('csv_repeated', { line, first });
    for (const name of names) lines.set(name, line);
  }
}

function entryOf(cells: Cells): ForeignEntry {
  const { username: name, email } = cells;
  const sourceId = (name ?? email)?.toLowerCase();
  return sourceId === undefined ? { sourceId, name, why: 'no_id' } : userOf(sourceId, cells);
}

const userOf = (sourceId: string, cells: Cells): ForeignUser => ({
  sourceId,
  name: cells.username,
  // An address alone is not what the user typed at a login.
  formerName: cells.username ?? null,
  email: cells.email,
  emailVerified: isTrue(cells.email_verified),
  phone: cells.phone,
  phoneRegion: undefined,
  phoneVerified: isTrue(cells.phone_verified),
  nickname: cells.nickname,
  avatar: undefined,
  locale: cells.locale,
  isDisabled: cells.status?.toLowerCase() === 'disabled',
  mustChangePassword: false,
  createdAt: undefined,
  password: undefined,
  roles: rolesOf(cells),
  attributes: attributesOf(cells),
});

const attributesOf = (cells: Cells): Record<string, string> =>
  Object.fromEntries(
    Object.entries(cells).flatMap(([column, cell]) =>
      column.startsWith(ATTRIBUTE_COLUMN) ? [[column.slice(ATTRIBUTE_COLUMN.length), cell]] : [],
    ),
  );

const isTrue = (cell: string | undefined): boolean => cell?.toLowerCase() === 'true';

const invalid = (code: string, params: Record<string, string | number> = {}): Error =>
  platformErrors.validationFailed({ fields: [{ field: 'csv', code, params }] });
