import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Package {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const packageOf = (folder: string): Package => JSON.parse(read(join(folder, 'package.json'))) as Package;
const { version } = packageOf('.');
const found = (file: string, pattern: RegExp): (string | undefined)[] =>
  Array.from(read(file).matchAll(pattern), ([, one]) => one);

const documents = [
  '.',
  'docs',
  'docs/guides',
  'docs/operating',
  'packages/client',
  'packages/guard',
  'packages/react',
].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
    .map((name) => join(folder, name)),
);

describe('the version', () => {
  it.each(['packages/client', 'packages/guard', 'packages/react', 'web'])('is the same in %s', (folder) => {
    expect(packageOf(folder).version).toBe(version);
  });

  it.each(['web', 'packages/react', 'examples/spa', 'examples/react', 'examples/server-rendered'])(
    'is that of the client which %s requires',
    (folder) => {
      expect(packageOf(folder).dependencies?.['castellan-client']).toBe(version);
    },
  );

  it.each(['examples/react', 'examples/server-rendered'])(
    'is that of the React package which %s requires',
    (folder) => {
      expect(packageOf(folder).dependencies?.['castellan-react']).toBe(version);
    },
  );

  it('is the same in the chart, the image and the OpenAPI document', () => {
    expect(found('deploy/helm/castellan/Chart.yaml', /^(?:version|appVersion): (\S+)$/gm)).toEqual([version, version]);
    expect(found('Dockerfile', /^ARG VERSION=(.+)$/gm)).toEqual([version]);
    const { info } = JSON.parse(read('docs/openapi.json')) as { info: { version: string } };
    expect(info.version).toBe(version);
  });

  it('is the same in every file name, tag and command of the documentation', () => {
    const named = documents.flatMap((file) => [
      ...found(file, /castellan(?:-client|-guard)?[-:@](\d+\.\d+\.\d+)/g),
      ...found(file, /(?:\bv|VERSION=|Castellan )(\d+\.\d+\.\d+)\b(?!\.html)/g),
    ]);
    expect(named.length).toBeGreaterThan(8);
    expect([...new Set(named)]).toEqual([version]);
  });

  it('is the one that the README states', () => {
    expect(found('README.md', /Castellan is at version (\d+\.\d+)\./g)).toEqual([version.replace(/\.\d+$/, '')]);
  });

  it('has a section with a date in the changelog, below what is not released', () => {
    const headings = found('CHANGELOG.md', /^## (.+)$/gm);
    expect(headings[0]).toBe('[Unreleased]');
    expect(headings[1]).toMatch(new RegExp(`^\\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`));
  });
});
