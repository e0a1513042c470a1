import '../../src';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parse } from 'yaml';
import { commandOf } from '../../src/cli/commands';
import { readIdentityEnvironment } from '../../src/identity/identity.variables';
import { declaredSettings, findSetting } from '../../src/platform/settings';

const root = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const examples = readdirSync(join(root, 'examples')).map((name) => `examples/${name}`);
const documents = [
  '.',
  'docs',
  'docs/adr',
  'docs/guides',
  'docs/operating',
  'packages/client',
  'packages/guard',
  'packages/react',
  ...examples,
].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
const configuration = read('docs/configuration.md');

/** The anchor that GitHub derives from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => anchorOf(heading)));

/** Whether a link within the repository is broken. External links are not checked. */
function isBroken(document: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return false;
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? document : normalize(join(dirname(document), path));
  if (!existsSync(join(root, file))) return true;
  return anchor !== undefined && file.endsWith('.md') && !anchorsOf(read(file)).has(anchor);
}

/** A name with `*` exists when its folder exists. */
const isThere = (path: string): boolean =>
  existsSync(join(root, path.includes('*') ? dirname(path.slice(0, path.indexOf('*') + 1)) : path));

/** A default in the form of the table of settings. */
function defaultOf(cell: string): unknown {
  if (/^on\b/.test(cell)) return true;
  if (/^off\b/.test(cell)) return false;
  if (/^none\b/.test(cell)) return undefined;
  const quoted = /^`(.+)`$/.exec(cell)?.[1];
  return quoted ?? Number(cell.replace(/ \(.+\)$/, '').replaceAll(',', ''));
}

/** A bare name is in `test/reliability`. */
const placeOf = (name: string): string => (name.includes('/') ? name : `reliability/${name}`);

const isNone = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));

/** The section of docs/architecture.md that follows three requests. */
function readingPaths(): string {
  const [, section = ''] = /^## Three paths by file$([\s\S]+?)^## /m.exec(read('docs/architecture.md')) ?? [];
  return section;
}

describe('documents', () => {
  it.each(documents)('%s has no broken links', (document) => {
    // Code blocks are no text.
    const text = read(document).replace(/^ *```.*?^ *```/gms, '');
    const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
    expect(links.filter((link) => isBroken(document, link))).toEqual([]);
  });

  it('name only existing npm scripts', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = documents.flatMap((document) =>
      Array.from(read(document).matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g), ([, script = '']) => script),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('name only existing commands', () => {
    const named = documents.flatMap((document) =>
      Array.from(read(document).matchAll(/\bcli(?:\.js)? ([a-z][a-z -]*[a-z])/g), ([, words = '']) => words.split(' ')),
    );
    const isKnown = (words: readonly string[]): boolean => words[0] === 'help' || commandOf(words) !== undefined;
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((words) => !isKnown(words)).map((words) => words.join(' '))).toEqual([]);
  });

  it('name only existing source files and folders', () => {
    const sources = /`((?:src|test|docs|deploy|examples|scripts|migrations|packages|i18n|web|bench)\/[\w./*-]+)`/g;
    const named = documents.flatMap((document) =>
      Array.from(read(document).matchAll(sources), ([, path = '']) => ({ document, path })),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ path }) => !isThere(path))).toEqual([]);
  });

  it('quote only messages that the source has', () => {
    const source = sourcesOf('src')
      .filter((name) => !name.endsWith('.spec.ts'))
      .map(read)
      .join('\n');
    const tables = documents.flatMap((document) =>
      Array.from(read(document).matchAll(/^\| (?:the start ends with|message) \| because \|\n((?:\|.*\n)+)/gm)),
    );
    const quoted = tables.flatMap(([, rows = '']) => rows.trim().split('\n').slice(1));
    expect(quoted.length).toBeGreaterThan(10);
    // An ellipsis is in the place of a value.
    const isKnown = (row: string): boolean => {
      const message = /^\| `([^`]+)` \|/.exec(row)?.[1];
      return message !== undefined && message.split('…').every((part) => source.includes(part));
    };
    expect(quoted.filter((row) => !isKnown(row))).toEqual([]);
  });

  it('locate each defence', () => {
    const [, table = ''] = /## What we defend against, and how(.*?)\n## /s.exec(read('SECURITY.md')) ?? [];
    const places = Array.from(table.matchAll(/^\|[^|]+\|[^|]+\| (.+) \|$/gm), ([, cell = '']) => cell);
    const named = places.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, path = '']) => path));
    expect(named.length).toBeGreaterThan(30);
    // A bare name is in the folder of the file before it.
    const isFound = (path: string, place: number): boolean =>
      [path, join('src', path), join('src', dirname(named[place - 1] ?? ''), path)].some(isThere);
    expect(named.filter((path, place) => !isFound(path, place))).toEqual([]);
  });

  it('describe the enforced order of modules', () => {
    const kept = Array.from(read('.dependency-cruiser.cjs').matchAll(/^ {2}'([a-z-]+)',$/gm), ([, name = '']) => name);
    const [, told = ''] = /^`(platform ←.+) ← composition root/m.exec(read('CONTRIBUTING.md')) ?? [];
    expect(told.split(' ← ')).toEqual(kept);
    const drawn = Array.from(read('docs/architecture.md').matchAll(/^ {3}([a-z-]+) {2,}\S/gm), ([, name = '']) => name);
    expect(drawn.reverse().slice(0, kept.length)).toEqual(kept);
  });

  it('list at most ten existing files for each reading path', () => {
    const section = readingPaths();
    const paths = section.split(/^### .+$/m).slice(1);
    const lists = paths.map((path) =>
      Array.from(path.matchAll(/^\d+\. `([^`]+)`/gm), ([, name = '']) => `src/${name}`),
    );
    expect(lists).toHaveLength(3);
    for (const list of lists) {
      expect(list.length).toBeGreaterThan(5);
      expect(list.length).toBeLessThanOrEqual(10);
      expect(list.filter((file) => !isThere(file))).toEqual([]);
    }
  });
});

describe('docs/reliability.md', () => {
  const rows = read('docs/reliability.md').matchAll(/^\|[^|]+\|[^|]+\| (`.+`) \|$/gm);
  const named = Array.from(rows, ([, cell = '']) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name));
  const files = named.flat().map((name) => (name.startsWith('src/') ? name : `test/${placeOf(name)}.spec.ts`));

  it('names only existing tests', () => {
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => !existsSync(join(root, file.replace('*.spec.ts', ''))))).toEqual([]);
  });

  it('describes each failure test', () => {
    const there = readdirSync(join(root, 'test/reliability')).map((name) => `test/reliability/${name}`);
    expect(there.filter((file) => !files.includes(file))).toEqual([]);
  });
});

/** Names of all variables that the start reads. */
function variables(): Set<string> {
  const asked = new Set<string>();
  const note = (_: object, name: string | symbol): undefined => void asked.add(String(name));
  readIdentityEnvironment(new Proxy<Record<string, string | undefined>>({}, { get: note }));
  return asked;
}

describe('compose.yaml', () => {
  it('sets only variables that the service reads, and gives a source for each required one', () => {
    const text = read('compose.yaml');
    const { services } = parse(text) as { services: { castellan: { environment: Record<string, string> } } };
    const given = Object.keys(services.castellan.environment);
    expect(given.filter((name) => !variables().has(name))).toEqual([]);
    const wanted = new Set(Array.from(text.matchAll(/\$\{([A-Z_]+):\?/g), ([, name = '']) => name));
    const [, made = ''] = /cat > \.env << END\n(.*?)\nEND/s.exec(read('docs/guides/production.md')) ?? [];
    for (const name of wanted) {
      expect(text).toMatch(new RegExp(`^# {3}${name} `, 'm'));
      expect(made).toMatch(new RegExp(`^${name}=.`, 'm'));
    }
    expect(wanted.size).toBeGreaterThan(3);
  });
});

describe('TRUSTED_PROXIES in compose.yaml', () => {
  it('contains only the compose network by default', () => {
    const { services, networks } = parse(read('compose.yaml')) as {
      services: { castellan: { environment: { TRUSTED_PROXIES: string } } };
      networks: { default: { ipam: { config: { subnet: string }[] } } };
    };
    const subnets = networks.default.ipam.config.map(({ subnet }) => subnet);
    expect(subnets).toHaveLength(1);
    expect(services.castellan.environment.TRUSTED_PROXIES).toBe(`\${TRUSTED_PROXIES:-${subnets[0]}}`);
  });
});

describe('.dockerignore', () => {
  const linesOf = (file: string): string[] => read(file).split('\n').filter(Boolean);

  it('keeps build output, installed packages, local data and secrets out of the image at any depth', () => {
    const anywhere = linesOf('.gitignore').filter((line) => !line.replace(/\/$/, '').includes('/'));
    expect(anywhere).toEqual(expect.arrayContaining(['node_modules', '.env', '.data/']));
    const kept = new Set(linesOf('.dockerignore'));
    expect(anywhere.filter((line) => !kept.has(`**/${line.replace(/\/$/, '')}`))).toEqual([]);
  });
});

describe('docs/configuration.md', () => {
  it('lists every variable that is read', () => {
    const asked = variables();
    const [, table = ''] = /## Configuration(.*?)\n## /s.exec(configuration) ?? [];
    const cells = Array.from(table.matchAll(/^\| (`[A-Z_`, ]+) \|/gm), ([, cell = '']) => cell);
    const told = cells.flatMap((cell) => Array.from(cell.matchAll(/[A-Z_]+/g), ([name]) => name));
    expect(told.sort()).toEqual([...asked].sort());
  });

  it('gives settings their default', () => {
    const [, table = ''] = /## Settings(.*)/s.exec(configuration) ?? [];
    const told = Array.from(table.matchAll(/`([a-z_]+\.[a-z_.]+)` \| ([^|]+?) \|/g), ([, key = '', cell = '']) => ({
      key,
      value: defaultOf(cell),
    }));
    expect(told.length).toBeGreaterThan(30);
    const real = told.map(({ key }) => ({ key, setting: findSetting(key) }));
    expect(real.filter(({ setting }) => !setting).map(({ key }) => key)).toEqual([]);
    const fallbacks = real.map(({ key, setting }) => ({
      key,
      value: isNone(setting?.defaultValue) ? undefined : setting?.defaultValue,
    }));
    expect(told).toEqual(fallbacks);
    expect(declaredSettings().length).toBeGreaterThan(told.length);
  });
});
