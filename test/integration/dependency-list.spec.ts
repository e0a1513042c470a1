import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const PACKAGES = ['package.json', 'web/package.json', 'packages/client/package.json'];

type Names = Readonly<Record<string, string>>;
interface Package {
  readonly name: string;
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
  readonly peerDependencies?: Names;
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('docs/dependencies.md', () => {
  const text = read('docs/dependencies.md');
  const packages = PACKAGES.map((file) => JSON.parse(read(file)) as Package);
  const ours = new Set(packages.map(({ name }) => name));
  const direct = packages
    .flatMap(({ dependencies, devDependencies, peerDependencies }) => [dependencies, devDependencies, peerDependencies])
    .flatMap((names = {}) => Object.keys(names))
    .filter((name) => !ours.has(name));
  const rows = text.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm);
  const named = Array.from(rows, ([, cell = '']) => cell.split(', ').map((name) => name.slice(1, -1))).flat();

  it('has a row for every direct dependency', () => {
    expect([...new Set(direct)].filter((name) => !named.includes(name)).sort()).toEqual([]);
  });

  it('lists only direct dependencies', () => {
    expect(named.filter((name) => !direct.includes(name))).toEqual([]);
  });

  it('lists every package at any depth that runs an install script', () => {
    const { packages: installed } = JSON.parse(read('package-lock.json')) as Lock;
    const scripted = Object.entries(installed).filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const names = scripted.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(names.length).toBeGreaterThan(0);
    const [, comesAlong = ''] = text.split('## What comes along');
    expect(names.filter((name) => !comesAlong.includes(`\`${name}\``))).toEqual([]);
  });
});
