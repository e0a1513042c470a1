import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argon2PasswordHasher, MigratingPasswordHasher } from '../../platform/crypto';
import { ForeignUser, isSkipped } from '../foreign-user';
import { pbkdf2Sync } from 'node:crypto';
import { foreignSources } from '.';

const BCRYPT = '$2b$04$EILJZtOSlKZ4wdy6C7yCweeZXce//e15YLB67ODMh0WWRLwm7tv.C';

/** Files as public bug reports of other systems show them. */
describe('an odd export', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'castellan-odd-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function usersOf(from: string, content: unknown): Promise<ForeignUser[]> {
    const path = join(folder, 'file');
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    const users: ForeignUser[] = [];
    for await (const entry of foreignSources.find(({ name }) => name === from)!.read(path)) {
      if (!isSkipped(entry)) users.push(entry);
    }
    return users;
  }

  const keycloakPassword = (credential: object): object => ({
    users: [{ id: '1', username: 'ann', credentials: [{ type: 'password', ...credential }] }],
  });

  it.each([
    ['keycloak/keycloak#19257: a password in plain text', { value: 'password' }, { kind: 'plain', text: 'password' }],
    ['adorsys/keycloak-config-cli#1129: one with spaces', { value: ' a b ' }, { kind: 'plain', text: ' a b ' }],
    [
      'a hash beside a value that is not its own',
      { value: '', secretData: `{"value":"${BCRYPT}"}` },
      { kind: 'hash', hash: BCRYPT },
    ],
    [
      'OpenIdentityPlatform/OpenDJ#191: {BCRYPT} in front',
      { secretData: `{"value":"{BCRYPT}${BCRYPT}"}` },
      { kind: 'hash', hash: BCRYPT },
    ],
    [
      'FusionAuth/fusionauth-issues#2495: $2y$ of PHP',
      { secretData: `{"value":"${BCRYPT.replace('2b', '2y')}"}` },
      { kind: 'hash', hash: BCRYPT.replace('2b', '2y') },
    ],
    ['no password at all', { secretData: '{}', credentialData: '{}' }, { kind: 'unusable' }],
  ])('of Keycloak has the right password: %s', async (_, credential, password) => {
    expect((await usersOf('keycloak', keycloakPassword(credential)))[0]?.password).toEqual(password);
  });

  it('of Keycloak has keys longer than their digest (keycloak/keycloak#16797) and spaces in salts (FusionAuth/fusionauth-issues#811)', async () => {
    const hasher = new MigratingPasswordHasher(new Argon2PasswordHasher({ memoryKib: 64, passes: 1 }));
    const salt = Buffer.from('a salt of someone');
    const value = pbkdf2Sync('old password', salt, 27_500, 64, 'sha256').toString('base64');
    const [user] = await usersOf(
      'keycloak',
      keycloakPassword({
        secretData: JSON.stringify({ value, salt: ` ${salt.toString('base64')}` }),
        credentialData: JSON.stringify({ hashIterations: 27_500, algorithm: 'pbkdf2-sha256' }),
      }),
    );
    expect(user?.password?.kind === 'hash' && (await hasher.verify('old password', user.password.hash))).toBe(true);
  });

  it('of Keycloak without ids, written by hand, is identified by username', async () => {
    const users = await usersOf('keycloak', { realm: 'demo', users: [{ username: 'ann' }, { username: 'bob' }] });
    expect(users.map(({ sourceId }) => sourceId)).toEqual(['ann', 'bob']);
  });

  it.each([
    [
      'names for people (auth0-extensions/auth0-user-import-export-extension#79)',
      '{"Id":"auth0|1","Email":"a@x.example","Email Verified":true,"Created At":"2020-06-01T00:00:00.000Z","Given Name":"","Nickname":"ann"}\n',
    ],
    [
      'no list around its users (auth0-extensions/auth0-user-import-export-extension#45)',
      '{"user_id":"auth0|1","email":"a@x.example","email_verified":"True","created_at":1590969600,"nickname":"ann"}\n\n',
    ],
    [
      'times of a database',
      '[{"_id":{"$oid":"1"},"email":"a@x.example","email_verified":true,"passwordHash":"x","created_at":{"$date":"2020-06-01T00:00:00.000Z"},"nickname":"ann"}]',
    ],
    [
      'times in milliseconds, as text',
      '[{"user_id":"1","email":"a@x.example","email_verified":"TRUE","created_at":"1590969600000","nickname":"ann"}]',
    ],
  ])('of Auth0 has %s', async (_, content) => {
    expect(await usersOf('auth0', content)).toEqual([
      expect.objectContaining({
        sourceId: 'auth0|1',
        email: 'a@x.example',
        emailVerified: true,
        nickname: 'ann',
        createdAt: new Date('2020-06-01T00:00:00.000Z'),
      }),
    ]);
  });

  it('of Casdoor has hashes of several kinds in one organization (casdoor/casdoor#2282)', async () => {
    const users = await usersOf('casdoor', {
      organizations: [{ name: 'built-in', passwordType: 'plain' }],
      users: [
        { owner: 'built-in', name: 'a', password: 'text', passwordType: '' },
        { owner: 'built-in', name: 'b', password: BCRYPT, passwordType: 'bcrypt' },
      ],
    });
    expect(users.map(({ password }) => password)).toEqual([
      { kind: 'plain', text: 'text' },
      { kind: 'hash', hash: BCRYPT },
    ]);
  });
});
