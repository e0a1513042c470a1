import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { hostPages, NOT_INSTALLED, Recipe, recipesOf } from '../support/hosts/host-recipes';

const run = promisify(execFile);
const root = join(__dirname, '..', '..');

/** What guides name and this repository does not install. */
const OTHERS = `declare module 'next/server' {
  export type NextRequest = Request;
  export const NextResponse: { next(init: { request: { headers: Headers } }): Response };
}
declare module '@vitejs/plugin-react' {
  export default function react(): import('vite').PluginOption;
}
`;

const PATHS = {
  castellan: './src/index.ts',
  'castellan/guard': './src/service-guard/client/index.ts',
  'castellan-guard': './src/service-guard/client/index.ts',
  'castellan/testing': './src/testing/index.ts',
  'castellan-client': './packages/client/src/index.ts',
  'castellan-client/server': './packages/client/src/server/index.ts',
  'castellan-react': './packages/react/src/index.ts',
  'castellan-react/forms': './packages/react/src/forms/index.ts',
};

const ofHosts = new Set(hostPages());

/** The pages for hosts share a folder, in which their files import each other. */
function folderOf(document: string): string {
  if (ofHosts.has(document)) return 'host';
  return document.replace(/\.md$/, '').replaceAll('/', '-');
}

describe('code in the guides', () => {
  let folder: string;
  let recipes: Recipe[];

  beforeAll(async () => {
    await mkdir(join(root, '.tmp'), { recursive: true });
    folder = await mkdtemp(join(root, '.tmp', 'guides-'));
    const guides = (await readdir(join(root, 'docs/guides'))).map((name) => join('docs/guides', name));
    recipes = [
      ...guides,
      'docs/extending.md',
      'README.md',
      'packages/guard/README.md',
      'packages/react/README.md',
    ].flatMap(recipesOf);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('names its file, so that it compiles as a whole', () => {
    expect(recipes.length).toBeGreaterThan(35);
    expect(recipes.filter(({ file }) => file === undefined).map(({ document, text }) => [document, text])).toEqual([]);
  });

  it('compiles', async () => {
    for (const { document, file = '', text } of recipes) {
      const place = join(folder, folderOf(document), file);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, text);
    }
    await writeFile(join(folder, 'others.d.ts'), OTHERS + NOT_INSTALLED);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    const paths = Object.fromEntries(Object.entries(PATHS).map(([name, path]) => [name, [join(root, path)]]));
    const compilerOptions = {
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'es2024.string', 'dom', 'dom.iterable'],
      types: ['node', 'jest'],
      jsx: 'react-jsx',
      paths,
    };
    const config = { extends: '../../tsconfig.json', compilerOptions, include: ['**/*.ts', '**/*.tsx'], exclude: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = await run(process.execPath, [join(__dirname, 'check-recipes.mjs'), folder], { cwd: root });
    expect(stdout).toBe('');
  }, 240_000);
});
