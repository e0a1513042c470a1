import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from './read-environment';
import { secretVariables } from './secret-files';
import type { VariableGroup } from './variable-reader';

const KEYS = `k1:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64url')}`;
const USABLE: Readonly<Record<(typeof secretVariables)[number], string>> = {
  DATABASE_URL: 'postgres://user:secret@db/castellan',
  DATABASE_REPLICA_URLS: 'postgres://user:secret@replica/castellan',
  DATABASE_DIRECT_URL: 'postgres://user:secret@direct/castellan',
  REDIS_URL: 'redis://:secret@my-master',
  REDIS_SENTINEL_URLS: 'redis://:secret@sentinel:26379',
  ADMIN_PASSWORD: ' a password with a blank ',
  ENCRYPTION_KEYS: KEYS,
};

describe('secret files', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-secrets-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const fileOf = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it('gives the same environment as the variables', () => {
    const files = Object.entries(USABLE).map(([name, value]) => [`${name}_FILE`, fileOf(name, `${value}\n`)]);
    const { readFromFiles, ...fromFiles } = readEnvironment(Object.fromEntries(files) as Record<string, string>);
    const { readFromFiles: none, ...fromVariables } = readEnvironment(USABLE);
    expect(fromFiles).toEqual(fromVariables);
    expect(readFromFiles).toEqual(expect.arrayContaining([...secretVariables]));
    expect(none).toEqual([]);
  });

  it('holds the secret of a group, too', () => {
    const group: VariableGroup<string | undefined> = {
      secrets: ['COLLECTOR_TOKEN'],
      read: (reader) => reader.text('COLLECTOR_TOKEN'),
    };
    const environment = readEnvironment({ COLLECTOR_TOKEN_FILE: fileOf('token', 'secret\n') }, [group]);
    expect([environment.get(group), environment.readFromFiles]).toEqual(['secret', ['COLLECTOR_TOKEN']]);
  });

  it('allows production without secrets in the environment', () => {
    const environment = readEnvironment({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://id.example.com',
      DATABASE_URL_FILE: fileOf('database', USABLE.DATABASE_URL),
      ENCRYPTION_KEYS_FILE: fileOf('keys', KEYS),
    });
    expect(environment).toMatchObject({ databaseUrl: USABLE.DATABASE_URL, encryptionKeys: KEYS });
  });

  it('keeps spaces and all line breaks but the last', () => {
    const path = fileOf('password', ' two \n lines \r\n');
    expect(readEnvironment({ ADMIN_PASSWORD_FILE: path }).adminPassword).toBe(' two \n lines ');
  });

  it.each(secretVariables)('rejects %s together with its file and shows neither value', (name) => {
    const path = fileOf(name, USABLE[name]);
    expect(() => readEnvironment({ ...USABLE, [`${name}_FILE`]: path })).toThrow(
      new Error(`${name}_FILE is set beside ${name}; allowed: one of the two`),
    );
  });

  it.each([
    ['is missing', () => join(folder, 'nowhere'), 'it cannot be read (ENOENT)'],
    ['is a folder', () => folder, 'it cannot be read (EISDIR)'],
    ['is empty', () => fileOf('empty', '\n'), 'it is empty'],
    ['is too long', () => fileOf('long', 'x'.repeat(70_000)), 'it is longer than 65536 characters'],
  ])('rejects a file that %s and names it', (_what, path, problem) => {
    expect(() => readEnvironment({ REDIS_URL_FILE: path() })).toThrow(
      `REDIS_URL_FILE is ${JSON.stringify(path())}: ${problem}; allowed: a file that holds the secret alone`,
    );
  });

  it('never shows the content of an unusable file', () => {
    const path = fileOf('database', 'mysql://user:verysecret@db/x');
    expect(() => readEnvironment({ DATABASE_URL_FILE: path })).toThrow(/^DATABASE_URL is \(value hidden\)/);
  });

  it('ignores an empty file name', () => {
    expect(readEnvironment({ REDIS_URL: USABLE.REDIS_URL, REDIS_URL_FILE: '' }).redisUrl).toBe(USABLE.REDIS_URL);
  });

  it('detects a misspelled file variable', () => {
    const { nearMisses } = readEnvironment({ REDIS_URL_FIL: '/run/secrets/redis' });
    expect(nearMisses).toEqual([{ found: 'REDIS_URL_FIL', known: 'REDIS_URL_FILE' }]);
  });
});
