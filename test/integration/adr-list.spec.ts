import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../../docs/adr');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

describe('docs/adr/README.md', () => {
  it('lists every decision once, by its title', () => {
    const files = readdirSync(folder).filter((name) => /^\d{4}-.+\.md$/.test(name));
    const titles = files.map((file) => [file, read(file).split('\n')[0]?.replace(/^# /, '')]);
    const listed = Array.from(read('README.md').matchAll(/^- \[([^\]]+)\]\(([^)]+)\)$/gm), ([, title, file]) => [
      file,
      title,
    ]);
    expect(listed.sort()).toEqual(titles.sort());
  });
});
