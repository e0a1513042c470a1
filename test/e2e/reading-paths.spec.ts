import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appName } from '../../src/settings/branding.settings';
import { TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

const ROOT = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Calls since it was emptied, as file and `Class.method`. */
const entered: { readonly file: string; readonly call: string }[] = [];

interface ReadingPath {
  readonly title: string;
  /** In the order in which a request enters them. A module is read, not entered. */
  readonly files: readonly string[];
  /** `Class.method`, without those that only some requests make. */
  readonly calls: readonly string[];
}

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
);
const matches = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, name = '']) => name);

function readingPaths(): ReadingPath[] {
  const [, section = ''] = /^## Three paths by file$([\s\S]+?)^## /m.exec(read('docs/architecture.md')) ?? [];
  return section
    .split(/^### /m)
    .slice(1)
    .map((text) => ({
      title: text.slice(0, text.indexOf('\n')),
      files: matches(text, /^\d+\. `([^`]+)`/gm).filter((file) => !file.endsWith('.module.ts')),
      calls: matches(text.slice(text.indexOf('Single calls:')), /`(\w+\.\w+)`(?! \()/g),
    }));
}

const isClass = (value: unknown): value is { name: string; prototype: object } =>
  typeof value === 'function' && String(value).startsWith('class ');

/** Functions of a file that exports no class are called unseen. */
const watched = new Set<string>();
const isWatched = (file: string): boolean => watched.has(file);

/** Put the methods back that are watched. */
const restores: (() => void)[] = [];

/** Notes the calls of all methods of the classes of a file. */
function watch(file: string): void {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the page says which
  const exported = require(join(ROOT, 'src', file)) as Record<string, unknown>;
  const wrap = (owner: object, ownerName: string): void => {
    for (const [name, descriptor] of Object.entries<TypedPropertyDescriptor<unknown>>(
      Object.getOwnPropertyDescriptors(owner),
    )) {
      const { value } = descriptor;
      if (name === 'constructor' || typeof value !== 'function') continue;
      const original = value as (...given: unknown[]) => unknown;
      restores.push(() => Object.defineProperty(owner, name, descriptor));
      const noted = function (this: unknown, ...given: unknown[]): unknown {
        entered.push({ file, call: `${ownerName}.${name}` });
        return original.apply(this, given);
      };
      Object.defineProperty(noted, 'name', { value: name });
      // Routes and policies.
      for (const key of Reflect.getOwnMetadataKeys(original) as string[]) {
        Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, original), noted);
      }
      Object.defineProperty(owner, name, { ...descriptor, value: noted });
    }
  };
  for (const value of Object.values(exported)) {
    if (!isClass(value)) continue;
    watched.add(file);
    wrap(value.prototype, value.name);
  }
}

/** Before the service starts, because Nest binds the methods of controllers. */
function watchAll(): void {
  const paths = readingPaths();
  const classes = new Set(paths.flatMap(({ calls }) => calls.map((call) => call.slice(0, call.indexOf('.')))));
  const declaring = sources.filter((file) =>
    matches(read(`src/${file}`), /class (\w+)/g).some((name) => classes.has(name)),
  );
  const files = [...paths.flatMap((path) => path.files), ...declaring];
  for (const file of new Set(files)) watch(file);
}

describe('docs/architecture.md', () => {
  let service: TestService;
  let admin: TestClient;
  let bob: TestClient;

  beforeAll(async () => {
    watchAll();
    service = await TestService.start();
    admin = await service.admin();
    bob = await service.signUp('bob');
  });
  afterAll(async () => {
    await service.stop();
    for (const restore of restores.splice(0)) restore();
  });

  const requests: Record<string, () => Promise<{ readonly status: number }>> = {
    'Logging in: `POST /api/auth/login`': () =>
      service.client().post('/api/auth/login', { type: 'password', username: 'bob', password: PASSWORD }),
    'A denied permission': async () => {
      const { body: me } = await bob.get<{ id: string }>('/api/auth/me');
      // Otherwise the grants of the login are still cached.
      await admin.patch(`/api/user/${me.id}/permissions`, { add: [{ scope: 'shop', permission_id: 'order:read' }] });
      entered.length = 0;
      return bob.get('/api/role');
    },
    'Changing a setting: `PUT /api/setting`': () =>
      admin.put('/api/setting', { updates: [{ key: appName.key, value: 'Gate' }] }),
  };

  it.each(readingPaths())('lists what a request enters: $title', async ({ title, files, calls }) => {
    entered.length = 0;
    await requests[title]!();

    const inOrder = entered.map(({ file }) => file);
    let place = 0;
    const missed = files.filter(isWatched).filter((file) => {
      const found = inOrder.indexOf(file, place);
      if (found < 0) return true;
      place = found;
      return false;
    });
    expect({ missed, uncalled: calls.filter((call) => !entered.some((made) => made.call === call)) }).toEqual({
      missed: [],
      uncalled: [],
    });
  });
});
