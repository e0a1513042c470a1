/** Excel reads a CSV file as UTF-8 only after this mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A cell with one of these at the beginning is a formula for a spreadsheet. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const QUOTED = /[",;\r\n]|^\s|\s$/;

/** The first line of a file. */
export const csvHead = (names: readonly string[]): string => BYTE_ORDER_MARK + csvLine(names);

/**
 * A line of RFC 4180. An apostrophe before a cell keeps spreadsheets from running it as a formula; `readCsv` removes
 * it. A cell that begins with apostrophes before such a character gets one more, so that reading restores every text.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(text: string): string {
  const safe = isGuarded(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const isGuarded = (text: string): boolean => FORMULA.test(text.replace(/^'+/, ''));

const withoutGuard = (text: string): string => (text.startsWith("'") && isGuarded(text) ? text.slice(1) : text);

/** A line of a file with its number, which counts the lines within quoted cells. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The text cannot be read: a quote in this line is not closed, or not at an end of its cell. */
export class UnreadableCsv extends Error {
  constructor(readonly line: number) {
    super(`Line ${line} is not valid CSV`);
  }
}

/**
 * Reads RFC 4180, with the separator that the line `sep=` of spreadsheets names, or that the first line has most: `,`,
 * `;` in some countries, or tabs. Leaves out empty lines. Throws `UnreadableCsv`.
 */
export function* readCsv(text: string): Generator<CsvRow> {
  const { source, separator, firstLine } = withoutSeparatorLine(text.replace(BYTE_ORDER_MARK, ''));
  const cell = cellPattern(separator);
  let row: { line: number; cells: string[] } = { line: firstLine, cells: [] };
  for (let line = firstLine; cell.lastIndex < source.length || row.cells.length > 0;) {
    const next = readCell(cell, source, line);
    row.cells.push(next.text);
    line += next.lines;
    if (!next.endsRow) continue;
    if (row.cells.some((known) => known.trim() !== '')) yield row;
    row = { line, cells: [] };
  }
}

interface Table {
  readonly source: string;
  readonly separator: string;
  readonly firstLine: number;
}

/** Excel reads the separator from a first line of its own. */
function withoutSeparatorLine(text: string): Table {
  const [line = '', separator] = /^"?sep=([,;\t])"?(?:\r\n|\n|\r)/i.exec(text) ?? [];
  const source = text.slice(line.length);
  return { source, separator: separator ?? mostUsed(source), firstLine: separator === undefined ? 1 : 2 };
}

const SEPARATORS = [',', ';', '\t'];

function mostUsed(source: string): string {
  const [first = ''] = source.split(/\r|\n/, 1);
  const counts = SEPARATORS.map((separator) => first.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Matches a cell in quotation marks or without, and what ends it. */
function cellPattern(separator: string): RegExp {
  return new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`, 'y');
}

/** The cell at the place of the pattern, and the number of lines up to the next one. */
function readCell(pattern: RegExp, source: string, line: number): { text: string; lines: number; endsRow: boolean } {
  const found = pattern.exec(source);
  if (!found) throw new UnreadableCsv(line);
  const [, quoted, plain = '', end = ''] = found;
  const endsRow = !SEPARATORS.includes(end);
  const text = withoutGuard(quoted?.replaceAll('""', '"') ?? plain);
  return { text, lines: linesIn(quoted) + Number(endsRow), endsRow };
}

const linesIn = (text = ''): number => text.split(/\r\n|\n|\r/).length - 1;
