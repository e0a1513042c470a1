import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../docs/adr');

describe('docs/adr/README.md', () => {
  it('lists every decision by number in order', () => {
    const files = readdirSync(folder).filter((name) => /^\d{4}-.+\.md$/.test(name));
    const listed = readFileSync(join(folder, 'README.md'), 'utf8').matchAll(
      /^(\d+)\. \[[^\]]+\]\(([^)]+)\)(?:: superseded by \d+)?$/gm,
    );
    const entries = Array.from(listed, ([, number = '', file = '']) => [number.padStart(4, '0'), file]);
    expect(entries).toEqual(files.sort().map((file) => [file.slice(0, 4), file]));
  });
});
