import { Invocation } from './command';
import { isGiven } from './option';

type Output = Pick<Invocation, 'options' | 'terminal'>;

/** One line of JSON. */
export const asLine = (value: object): string => `${JSON.stringify(value)}\n`;

/** Control characters would move the cursor of the terminal or forge a column. */
const CONTROL = /\p{Cc}/gu;

/** A line of columns, separated by tabs. */
export const columns = (...cells: readonly (string | number | boolean | null)[]): string =>
  cells.map((cell) => (cell === null ? '-' : String(cell).replace(CONTROL, '?'))).join('\t');

/** Prints the data as JSON with `--json`, otherwise the lines. */
export function print(output: Output, data: object, lines: readonly string[]): void {
  output.terminal.write(isGiven(output, 'json') ? asLine(data) : lines.map((line) => `${line}\n`).join(''));
}

/** A page of a list, with the cursor of the next page. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

/** Prints a page of a list, one line an item. */
export function printList<T>(output: Output, { items, next_cursor }: Listed<T>, line: (item: T) => string): void {
  const more = next_cursor === null ? [] : [`More with --cursor ${next_cursor}`];
  print(output, { items, next_cursor }, [...items.map(line), ...more]);
}

/** Prints an object, one field a line. */
export function printFields(output: Output, data: object): void {
  const lines = Object.entries(data).map(([name, value]: [string, unknown]) =>
    columns(name, typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | null)),
  );
  print(output, data, lines);
}
