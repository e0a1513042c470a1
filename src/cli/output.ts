import { codePointLength } from '../platform/util';
import { Invocation } from './command';
import { isGiven } from './option';

interface Output extends Pick<Invocation, 'options'> {
  readonly terminal: Pick<Invocation['terminal'], 'write' | 'isScreen'>;
}

type Cell = string | number | boolean | null;

/** The columns of a list by their titles: the value of an item in each. */
export type ColumnsOf<T> = Readonly<Record<string, (item: T) => Cell>>;

/** One line of JSON. */
export const asLine = (value: object): string => `${JSON.stringify(value)}\n`;

/** Control characters would move the cursor of the terminal or forge a column. */
const CONTROL = /\p{Cc}/gu;

/** Characters that take two places of a terminal. */
const WIDE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]/gu;

const cellText = (cell: Cell): string => (cell === null ? '-' : String(cell).replace(CONTROL, '?'));

const widthOf = (text: string): number => codePointLength(text) + (text.match(WIDE)?.length ?? 0);

/** A line of columns, separated by tabs. */
export const columns = (...cells: readonly Cell[]): string => cells.map(cellText).join('\t');

/** Lines of columns: aligned on a screen, separated by tabs for a program. */
export function alignedLines({ terminal }: Output, rows: readonly (readonly Cell[])[]): string[] {
  if (!terminal.isScreen) return rows.map((cells) => columns(...cells));
  const texts = rows.map((cells) => cells.map(cellText));
  const widths: number[] = [];
  for (const row of texts) row.forEach((text, at) => (widths[at] = Math.max(widths[at] ?? 0, widthOf(text))));
  return texts.map((row) =>
    row
      .map((text, at) => text + ' '.repeat((widths[at] ?? 0) - widthOf(text)))
      .join('  ')
      .trimEnd(),
  );
}

/** Prints the data as JSON with `--json`, otherwise the lines. */
export function print(output: Output, data: object, lines: readonly string[]): void {
  output.terminal.write(isGiven(output, 'json') ? asLine(data) : lines.map((line) => `${line}\n`).join(''));
}

/** A page of a list, with the cursor of the next page. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

/** Prints a page of a list, one line an item, on a screen below the titles of the columns. */
export function printList<T>(output: Output, { items, next_cursor }: Listed<T>, columnsOf: ColumnsOf<T>): void {
  const titles = Object.keys(columnsOf).map((title) => title.toUpperCase());
  const rows = items.map((item) => Object.values(columnsOf).map((read) => read(item)));
  const more = next_cursor === null ? [] : [`More with --cursor ${next_cursor}`];
  const lines = alignedLines(output, output.terminal.isScreen ? [titles, ...rows] : rows);
  print(output, { items, next_cursor }, [...lines, ...more]);
}

/** The value of a field in a line. */
function fieldText(value: unknown): Cell {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ') || null;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell);
}

/** Prints an object, one field a line. */
export function printFields(output: Output, data: object): void {
  const rows = Object.entries(data).map(([name, value]: [string, unknown]) => [name, fieldText(value)]);
  print(output, data, alignedLines(output, rows));
}
