import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { UnreadableFile } from '../file-text';
import { ForeignEntry, isSkipped } from '../foreign-user';
import { foreignSources } from '.';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-sources-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function entriesOf(from: string, content: string | Buffer): Promise<ForeignEntry[]> {
  const path = join(folder, 'file');
  await writeFile(path, content);
  const source = foreignSources.find(({ name }) => name === from);
  const entries: ForeignEntry[] = [];
  for await (const entry of source!.read(path)) entries.push(entry);
  return entries;
}

const messageFor = async (from: string, content: string | Buffer): Promise<string> => {
  try {
    return `${(await entriesOf(from, content)).length} users`;
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message;
    throw error;
  }
};

const json = (value: unknown): string => JSON.stringify(value);
const lines = (...values: readonly unknown[]): string => values.map((value) => `${json(value)}\n`).join('');
const utf16 = (text: string, mark: string): Buffer => Buffer.from(`${mark}${text}`, 'utf16le');
const bigEndian = (text: Buffer): Buffer => Buffer.from(text).swap16();

const KEYCLOAK_USER = { id: 'k1', username: 'ann', createdTimestamp: 1, credentials: [] };
const AUTH0_USER = { user_id: 'auth0|1', email: 'ann@example.com', email_verified: true };
const CASTELLAN_USER = { id: 'c1', username: 'ann', email: null, email_verified: false, roles: [] };
const CASDOOR_USER = { owner: 'built-in', name: 'ann', id: '1' };

describe('a file of another system', () => {
  it.each([
    ['auth0', 'a realm', json({ realm: 'demo', enabled: true, users: [KEYCLOAK_USER] }), 'Keycloak', 'keycloak'],
    ['casdoor', 'a list of the admin API', json([KEYCLOAK_USER]), 'Keycloak', 'keycloak'],
    [
      'castellan',
      'a realm of many lines',
      json({ realm: 'demo', users: [KEYCLOAK_USER] }).replaceAll(',', ',\n'),
      'Keycloak',
      'keycloak',
    ],
    ['keycloak', 'one user a line', lines(AUTH0_USER, AUTH0_USER), 'Auth0', 'auth0'],
    [
      'keycloak',
      'a bulk import',
      json([{ email: 'ann@example.com', email_verified: true, password_hash: 'x' }]),
      'Auth0',
      'auth0',
    ],
    ['castellan', 'hashes', lines({ _id: { $oid: '1' }, email: 'a@x.example', passwordHash: 'x' }), 'Auth0', 'auth0'],
    ['auth0', 'an export of the command', lines(CASTELLAN_USER), 'Castellan', 'castellan'],
    ['keycloak', 'a list of users', json([CASTELLAN_USER]), 'Castellan', 'castellan'],
    [
      'keycloak',
      'init_data.json',
      json({ organizations: [], applications: [], users: [CASDOOR_USER] }),
      'Casdoor',
      'casdoor',
    ],
    ['auth0', 'get-users', json({ status: 'ok', data: [CASDOOR_USER] }), 'Casdoor', 'casdoor'],
  ])('is recognized by --from %s: %s', async (from, _, content, system, source) => {
    const message = await messageFor(from, content);
    expect(message).toContain(`looks like an export of ${system}, not of `);
    expect(message).toContain(`Use --from ${source}`);
  });

  it.each([
    ['Firebase', json({ users: [{ localId: 'a', email: 'a@x.example', passwordHash: 'x', salt: 'y' }] })],
    ['Amazon Cognito', json({ Users: [{ Username: 'a', Attributes: [{ Name: 'email', Value: 'a@x.example' }] }] })],
    ['Ory Kratos', json([{ id: '1', schema_id: 'default', traits: { email: 'a@x.example' } }])],
    ['SuperTokens', json({ users: [{ id: '1', emails: ['a@x.example'], loginMethods: [] }] })],
    ['Clerk', json([{ id: 'user_1', primary_email_address_id: 'idn_1', password_digest: '$2a$10$' }])],
    ['Logto', json([{ id: '1', username: 'ann', primaryEmail: 'a@x.example', passwordEncrypted: 'x' }])],
    ['Supabase', json([{ id: '1', email: 'a@x.example', encrypted_password: '$2a$10$' }])],
    ['FusionAuth', json({ users: [{ email: 'a@x.example', encryptionScheme: 'bcrypt', factor: 10 }] })],
    ['Okta', json([{ id: '1', status: 'ACTIVE', profile: {}, credentials: {} }])],
    ['ZITADEL', json({ result: [{ userId: '1', state: 'ACTIVE', human: {} }] })],
  ])('of %s is recognized, and told how it can be imported', async (system, content) => {
    for (const from of ['keycloak', 'auth0']) {
      const message = await messageFor(from, content);
      expect(message).toContain(`looks like an export of ${system}, not of `);
      expect(message).toContain("file format of Auth0's bulk import");
    }
  });

  it('is noticed after its first entries if it is not recognized', async () => {
    const users = Array.from({ length: 5_000 }, (_, n) => ({ uid: String(n), mail: `${n}@x.example` }));
    expect(await messageFor('keycloak', json({ users }))).toContain('none of its first 100 entries has an id of it');
    expect(await messageFor('auth0', lines(...users.slice(0, 3)))).toContain('none of its first 3 entries');
  });

  it.each([
    ['keycloak', json({ users: [{ id: '1', username: 'ann' }] })],
    ['keycloak', json([{ id: '1', username: 'ann', email: 'a@x.example', emailVerified: true }])],
    ['auth0', json([{ user_id: '1', email: 'a@x.example' }])],
    ['castellan', lines({ id: '1', username: 'ann' })],
    ['casdoor', json([{ name: 'ann' }])],
  ])('is not suspected in a small file of %s', async (from, content) => {
    expect(await messageFor(from, content)).toBe('1 users');
  });
});

describe('a file without users', () => {
  it.each([
    [
      'keycloak',
      json({ realm: 'demo', enabled: true, roles: { realm: [] }, clients: [] }),
      'The partial export of the console has none',
    ],
    ['keycloak', json({ realm: 'demo', users: [] }), 'kc.sh export'],
    ['keycloak', json(KEYCLOAK_USER), 'jq -s .'],
    ['keycloak', lines(KEYCLOAK_USER, { ...KEYCLOAK_USER, id: 'k2' }), 'jq -s .'],
    ['keycloak', '[]', 'has no users'],
    ['auth0', '[]', 'has no users'],
    [
      'auth0',
      '{"statusCode":401,"error":"Unauthorized","message":"Missing authentication"}',
      'error message of a server',
    ],
    ['casdoor', '{"users":[]}', 'has no users'],
    ['castellan', ' \n ', 'is empty'],
    ['auth0', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 'is HTML or XML'],
    ['keycloak', '<!doctype html><title>Sign in</title>', 'is HTML or XML'],
    ['auth0', 'user_id,email\nauth0|1,a@x.example\n', 'is not JSON'],
  ])('says so for --from %s: %s', async (from, content, reason) => {
    expect(await messageFor(from, content)).toContain(reason);
  });
});

describe('the encoding of a file', () => {
  const realm = json({ realm: 'demo', users: [KEYCLOAK_USER] });
  const inGbk = Buffer.concat([
    Buffer.from('[{"user_id":"1","name":"'),
    Buffer.from('d5c5cef7c3f7', 'hex'),
    Buffer.from('"}]'),
  ]);
  const inBig5Like = Buffer.concat([
    Buffer.from('[\n{"user_id":"1"},\n{"name":"'),
    Buffer.from('c0eecbc4', 'hex'),
    Buffer.from('"}]'),
  ]);
  const many = Array.from({ length: 3_000 }, (_, n) => `{"user_id":"${n}","name":"张三"}`).join('\n');

  it.each([
    ['UTF-16 with a mark', utf16(realm, '\ufeff'), 'is in UTF-16'],
    ['UTF-16 without a mark', utf16(realm, ''), 'is in UTF-16'],
    ['UTF-16 in the other order', bigEndian(utf16(realm, '\ufeff')), 'is in UTF-16'],
    ['gzip', gzipSync(realm), 'is compressed by gzip. First: gunzip'],
    ['ZIP', Buffer.from('PK\u0003\u0004rest'), 'is a ZIP archive or a workbook'],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]), 'is compressed by zstd'],
    ['a dump of the database', Buffer.from('PGDMP\u0001'), 'is a dump of PostgreSQL'],
    ['GBK', inGbk, 'line 1 looks like GBK. First: iconv -f GBK -t UTF-8'],
    ['GBK in the third line', inBig5Like, 'line 3 looks like GBK'],
    ['Latin-1', Buffer.from('[{"name":"Jürgen Müller"}]', 'latin1'), 'line 1 looks like WINDOWS-1252'],
    ['Latin-1 of Spain', Buffer.from('{"user_id":"1"}\n{"name":"Peña"}', 'latin1'), 'line 2 looks like WINDOWS-1252'],
    [
      'Latin-1 far behind',
      Buffer.concat([Buffer.from(`${many}\n`), Buffer.from('{"name":"café"}', 'latin1')]),
      'line 3001 looks like',
    ],
    ['a character cut off', Buffer.from(realm).subarray(0, 0), 'is empty'],
  ])('is named and refused: %s', async (_, content, reason) => {
    expect(await messageFor('auth0', content)).toContain(reason);
  });

  it('is UTF-8, with a mark or without, and with characters across parts of the file', async () => {
    expect(await messageFor('auth0', `\ufeff${many}`)).toBe('3000 users');
    const entries = await entriesOf('auth0', many);
    expect(entries.every((entry) => !isSkipped(entry) && entry.nickname === '张三')).toBe(true);
  });
});

describe('a file with one user a line', () => {
  const lineNumbers = async (content: string): Promise<(number | undefined)[]> =>
    (await entriesOf('auth0', content)).map((entry) => (isSkipped(entry) ? entry.line : undefined));

  it.each([
    [
      'within it',
      '{"user_id":"1"}\n{"user_id":"2"}\n{"user_id":\n{"user_id":"4"}\n',
      [undefined, undefined, 3, undefined],
    ],
    ['at its beginning', 'nonsense}\n{"user_id":"2"}\n', 'is not JSON'],
    ['at its beginning, an object', '{"user_id":"1"\n{"user_id":"2"}\n', [1, undefined]],
    ['at its end, cut off', '{"user_id":"1"}\r\n{"user_id":"2', [undefined, 2]],
    ['that is no object', '{"user_id":"1"}\n\n"text"\n[]\n', [undefined, 3, 4]],
  ])('names a bad line %s', async (_, content, expected) => {
    if (typeof expected === 'string') expect(await messageFor('auth0', content)).toContain(expected);
    else expect(await lineNumbers(content)).toEqual(expected);
  });

  it('keeps all digits of ids', async () => {
    const entries = await entriesOf('auth0', '{"user_id":1234567890123456791}\n{"user_id":1234567890123456792}\n');
    expect(entries.map(({ sourceId }) => sourceId)).toEqual(['auth0|1234567890123456791', 'auth0|1234567890123456792']);
  });

  it.each([
    ['auth0', 'user_id'],
    ['castellan', 'id'],
  ])('makes no user of an id that has lost digits: %s', async (format, name) => {
    const lines = ['"1"', '1234567890123456791.0', '1.234567890123456792e18'].map((id) => `{"${name}":${id}}\n`);
    const [, ...rounded] = await entriesOf(format, lines.join(''));
    expect(rounded.map((entry) => isSkipped(entry) && entry.why)).toEqual(['no_id', 'no_id']);
  });

  it('is also read if each user has several lines', async () => {
    expect(await messageFor('auth0', '{\n"user_id":"1"\n}\n{\n"user_id":"2"\n}\n')).toBe('2 users');
  });
});
