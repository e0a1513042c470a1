import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Owner } from '../servers/postgres-server';

/** The first line of a block that no test runs. */
export const NOT_RUN = '# Not run by a test';

/** The same for SQL. */
export const SQL_NOT_RUN = '-- Not run by a test';

/** A block of shell commands in the pages for operators. */
export interface CommandBlock {
  /** The nearest heading above. */
  readonly heading: string;
  readonly text: string;
  readonly isRun: boolean;
}

const docs = join(__dirname, '../../../docs');
const read = (file: string): string => readFileSync(join(docs, file), 'utf8');

/** The text of docs/operating.md, which says what no test runs. */
export const introduction = read('operating.md');

/** The text of docs/operating.md and of the pages that it lists. */
export const pages = [
  introduction,
  ...readdirSync(join(docs, 'operating')).map((name) => read(join('operating', name))),
].join('\n');

/** The text of each fenced block of the language, with the nearest heading above. */
export function blocksOf(language: string): { readonly heading: string; readonly text: string }[] {
  const found: { heading: string; text: string }[] = [];
  let heading = '';
  for (const [, title, kind, text = ''] of pages.matchAll(/^#+ (.+)$|^```(\w*)\n([^]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else if (kind === language) found.push({ heading, text });
  }
  return found;
}

export const commandBlocks: readonly CommandBlock[] = blocksOf('sh').map((block) => ({
  ...block,
  isRun: !block.text.startsWith(NOT_RUN),
}));

/**
 * The blocks under a heading that tests run, in order. Throws unless the pages have `count` of them, so that a caller
 * cannot miss a new one.
 */
export function commandsUnder(heading: string, count: number): string[] {
  const found = commandBlocks.filter((block) => block.heading === heading && block.isRun);
  if (found.length !== count) throw new Error(`${found.length} blocks to run are under "${heading}", not ${count}`);
  return found.map(({ text }) => text);
}

/** A file of the pages, such as the only `nginx` block under a heading. */
export function fileUnder(heading: string, language: string): string {
  const found = blocksOf(language).filter((block) => block.heading === heading);
  if (found.length !== 1) throw new Error(`${found.length} ${language} blocks are under "${heading}", not one`);
  return found[0]!.text;
}

export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user?: Owner;
}

/** Runs commands in one shell that stops at the first failure. Resolves with the output, rejects with the errors. */
export async function runCommands(text: string, { cwd, env, user = {} }: Place): Promise<string> {
  const options = { cwd, env: { PATH: process.env['PATH'] ?? '', ...env }, ...user, encoding: 'utf8' as const };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], options);
  return stdout;
}
