import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnreadableFile } from '../../src/import-export';
import { Imported, importInto } from '../support/accounts/imports';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const NUL = '\u0000';
const HALF_PAIR = '\ud800';
const LONG = 'x'.repeat(600);

type Json = Record<string, unknown>;

/** Lines with one fault each, or none, by system. Each has its own id. */
const keycloak: Json[] = [
  { username: 'k_fine' },
  {},
  { username: 7 },
  { username: NUL },
  { username: LONG },
  { username: 'k_half', firstName: HALF_PAIR },
  { username: 'K_FINE' },
  { username: 'k_service', serviceAccountClientId: 'app' },
  { username: 'k.renamed' },
  { username: 'k_mail', email: 'no mail' },
  { username: 'k_mail_nul', email: `a${NUL}@x.example`, emailVerified: true },
  { username: 'k_twice', email: 'twice@x.example', emailVerified: true },
  { username: 'k_again', email: 'TWICE@x.example', emailVerified: true },
  { username: 'k_unproved', email: 'twice@x.example' },
  { username: 'k_phone', attributes: { phoneNumber: ['12'] } },
  { username: 'k_odd_attributes', attributes: [{ locale: 'zh' }] },
  { username: 'k_locale', attributes: { locale: [HALF_PAIR], picture: [NUL] } },
  { username: 'k_picture', attributes: { picture: [`https://x.example/${LONG}`] } },
  { username: 'k_role', realmRoles: [NUL, HALF_PAIR, LONG, 'a b', 'admin', 'user', ''] },
  { username: 'k_group', groups: [NUL, HALF_PAIR, LONG, '/a.b', '/', '//', '/staff/editors'] },
  { username: 'k_no_list', realmRoles: 'editor', groups: {}, credentials: 'x', federatedIdentities: 7 },
  { username: 'k_password', credentials: [{ type: 'password', secretData: '{', credentialData: '[]' }] },
  { username: 'k_null', credentials: [null], federatedIdentities: [null], requiredActions: [null] },
  { username: 'k_otp', credentials: [{ type: 'otp', secretData: '{"value":"short"}', credentialData: '{}' }] },
  { username: 'k_otp_nul', credentials: [{ type: 'otp', secretData: JSON.stringify({ value: NUL.repeat(20) }) }] },
  { username: 'k_link', federatedIdentities: [{ identityProvider: 'elsewhere', userId: '1' }] },
  { username: 'k_link_nul', federatedIdentities: [{ identityProvider: NUL, userId: NUL }, {}] },
  { username: 'k_created', createdTimestamp: -1 },
  { username: 'k_later', createdTimestamp: 8_640_000_000_000_000 },
  { username: 'k_old', createdTimestamp: '0001-01-01T00:00:00Z' },
  { id: NUL, username: 'k_id_nul' },
  { id: LONG, username: 'k_id_long' },
];

const casdoor: Json[] = [
  {},
  { name: 'c_fine' },
  { name: 'c_deleted', isDeleted: true },
  { name: 'c_plain', password: `a${NUL}b`, passwordType: 'plain' },
  { name: 'c_plain_half', password: HALF_PAIR, passwordType: 'plain' },
  { name: 'c_plain_long', password: LONG, passwordType: 'plain' },
  { name: 'c_plain_merged', password: 'plain password', passwordType: 'plain' },
  { name: 'c_masked', password: '***', totpSecret: '***' },
  { name: 'c_salt', password: 'no hash', passwordType: 'salt' },
  { name: 'c_weak', password: 'ff0ddf2f84d0ee78e4c1a2c8f50a7298', passwordType: 'md5-salt' },
  { name: 'c_type', password: 'x', passwordType: 'constructor' },
  { name: 'c_totp', totpSecret: 'not base 32' },
  { name: 'c_social', github: LONG, google: 7.5, wechat: 'open id' },
  { name: 'c_roles', roles: [{ name: NUL }, 'x', null] },
  { name: 'c_owner', owner: NUL },
];

const auth0: Json[] = [
  {},
  { email: 'a_fine@x.example' },
  { user_id: 'auth0|1', email: 'a_fine@x.example', email_verified: true },
  { user_id: '2', username: 'a_two', passwordHash: LONG },
  { user_id: 'auth0|3', username: 'a_three', custom_password_hash: { hash: { value: 'x', encoding: 'hex' } } },
  { user_id: 'auth0|4', username: 'a_four', app_metadata: { roles: [NUL], authorization: { groups: [NUL, 'a'] } } },
  { user_id: 'auth0|5', username: 'a_five', mfa_factors: [null, { totp: {} }] },
  { user_id: 'auth0|6', username: 'a_six', mfa_factors: [{ totp: { secret: 7 } }] },
  { user_id: 'auth0|7', username: 'a_seven', identities: [{ isSocial: true, user_id: 2 ** 60 }, 'x'] },
  { user_id: 'auth0|2', username: 'a_two' },
  { user_id: `auth0|${HALF_PAIR}`, username: 'a_half' },
  { user_id: 'auth0|8', username: 'a_eight', organizations: [null, { id: NUL }, { id: LONG }, { id: 'a', name: NUL }] },
  {
    user_id: 'auth0|9',
    username: 'a_nine',
    organizations: [
      { id: 'b', name: 'same' },
      { id: 'c', name: 'same' },
    ],
  },
  { user_id: 'auth0|10', username: 'a_ten', organizations: { id: 'b' } },
];

const castellan: Json[] = [
  { username: 'z_provider', identities: [{ id: 'a', provider: 'elsewhere', issuer: 'i', claim: 'sub', subject: 's' }] },
  { username: 'z_identity', identities: [{ provider: NUL, issuer: 'i', claim: 'sub', subject: HALF_PAIR }, null] },
  { username: 'z_password', password_hash: 'no hash' },
  { username: 'z_role', roles: [{ scope: NUL, name: 'a' }, { scope: 'x', name: 'editor' }, null] },
  { username: 'z_groups', groups: ['/Staff/Editors', '/Editors', '/Staff', 7, '//', NUL, HALF_PAIR, LONG] },
  { username: 'z_organizations', organizations: [{ id: 'b', slug: 'same', name: HALF_PAIR }, { slug: 'x' }, 7] },
  { username: 'z_status', status: 'gone', must_change_password: 'true', created_at: 'never' },
];

const withIds = (lines: readonly Json[], idOf: (place: number) => Json): Json[] =>
  lines.map((line, place) => ({ ...idOf(place), ...line }));

const files: readonly [string, Json[], (lines: readonly Json[]) => string][] = [
  ['keycloak', withIds(keycloak, (place) => ({ id: `k-${place}` })), (users) => JSON.stringify({ users })],
  ['casdoor', withIds(casdoor, () => ({ owner: 'acme' })), (users) => JSON.stringify({ users })],
  ['auth0', auth0, (users) => users.map((user) => JSON.stringify(user)).join('\n')],
  ['castellan', withIds(castellan, (place) => ({ id: `z-${place}` })), (users) => JSON.stringify(users)],
];

/** A file of which no line has an id is rejected as a whole. */
function reasonOf(error: unknown): string {
  if (error instanceof UnreadableFile) return error.message;
  throw error;
}

describe('a dry run of an import', () => {
  let service: TestService;
  let folder: string;

  withService(async (started) => {
    service = started;
    folder = await mkdtemp(join(tmpdir(), 'castellan-dry-run-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  /** The report. The holder of a username is an account that a dry run does not create. */
  const reported = async (from: string, path: string, dryRun: boolean): Promise<Imported> => {
    const { totals, lines } = await importInto(service, from, path, { dryRun, withRoles: true });
    return {
      totals,
      lines: lines.map(({ holder_id, ...line }) => ({ ...line, ...(holder_id && { holder_id: 'id' }) })),
    };
  };

  it.each(files)('from %s reports for faulty lines what the real run reports', async (from, lines, write) => {
    const path = join(folder, from);
    await writeFile(path, write(lines));
    const dry = await reported(from, path, true);
    expect(await reported(from, path, false)).toEqual(dry);
    expect(dry.totals.read).toBe(lines.length);
    expect(dry.lines.length).toBeGreaterThan(lines.length / 2);
  });

  it.each(files)('from %s reports each faulty line alone as the real run does', async (from, lines, write) => {
    for (const [place, line] of lines.entries()) {
      const path = join(folder, `${from}-${place}`);
      // The line has not been imported with the whole file.
      const alone = JSON.parse(JSON.stringify(line).replace(/"((?:k|z)-|[kcaz]_|auth0\|)/g, '"$1alone_')) as Json;
      await writeFile(path, write([alone]));
      const dry = await reported(from, path, true).catch(reasonOf);
      expect([line, await reported(from, path, false).catch(reasonOf)]).toEqual([line, dry]);
    }
  });
});
