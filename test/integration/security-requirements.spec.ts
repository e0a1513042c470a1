import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Row {
  readonly id: string;
  readonly tests: readonly (readonly [file: string, titles: readonly string[]])[];
  readonly text: string;
}

/** Items of the lists: the id first, and for each file the quoted test titles after it. */
function rowsOf(document: string): Row[] {
  return document.split('\n').flatMap((text) => {
    const id = /^- ([A-G]\d{2}|\d{1,2})\b/.exec(text)?.[1];
    if (id === undefined) return [];
    const files = [...text.matchAll(/`((?:src|test)\/[^`]+\.ts)`((?:,? “[^”]+”)+)/g)];
    const tests = files.map(
      ([, file = '', quoted = '']) =>
        [file, [...quoted.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title)] as const,
    );
    return [{ id, tests, text }];
  });
}

const rows = ['docs/security-requirements.md', 'docs/known-faults.md'].flatMap((page) => rowsOf(read(page)));

describe('docs/security-requirements.md and docs/known-faults.md', () => {
  it('has each requirement id once', () => {
    const ids = rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // Requirements are added, never removed.
    expect(ids.filter((id) => /^[A-G]/.test(id)).length).toBeGreaterThanOrEqual(94);
    expect(ids.filter((id) => /^\d/.test(id)).length).toBe(48);
  });

  it('refers from a fault to an existing requirement', () => {
    const referred = rows.flatMap(({ text }) => /^- \d{1,2}: .*\. ([A-G]\d{2})$/.exec(text)?.[1] ?? []);
    expect(referred.length).toBeGreaterThan(10);
    expect(referred.filter((id) => !rows.some((row) => row.id === id))).toEqual([]);
  });

  it('names a test for each P0 requirement', () => {
    const untested = rows.filter(({ text, tests }) => text.includes(', P0: ') && tests.length === 0);
    expect(untested.map(({ id }) => id)).toEqual([]);
  });

  it.each(rows.map(({ id, tests }) => [id, tests] as const))('%s names existing tests', (_, tests) => {
    for (const [file, titles] of tests) {
      const source = read(file).replaceAll("\\'", "'");
      for (const title of titles) expect({ file, title, found: source.includes(title) }).toMatchObject({ found: true });
    }
  });
});
