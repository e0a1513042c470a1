import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const PACKAGES = ['.', 'web', 'packages/client', 'packages/guard', 'packages/react'].map(
  (folder) => `${folder}/package.json`,
);

type Names = Readonly<Record<string, string>>;
interface Package {
  readonly name: string;
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
  readonly peerDependencies?: Names;
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly hasInstallScript?: boolean; readonly dev?: boolean; readonly devOptional?: boolean }>
  >;
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Small, and needed in an older version by a package that we use. */
const TWICE = ['node_modules/cache-manager/node_modules/lru-cache', 'node_modules/nestjs-i18n/node_modules/cookie'];

describe('package.json', () => {
  it('brings one copy of each direct dependency, in the version that other packages need', () => {
    const { dependencies = {} } = JSON.parse(read('package.json')) as Package;
    const { packages: installed } = JSON.parse(read('package-lock.json')) as Lock;
    const nested = Object.entries(installed).filter(
      ([path, { dev, devOptional }]) => !dev && !devOptional && path.split('node_modules/').length > 2,
    );
    const copies = nested
      .map(([path]) => path)
      .filter((path) => (path.split('node_modules/').at(-1) ?? '') in dependencies);
    expect(copies).toEqual(TWICE);
  });
});

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
