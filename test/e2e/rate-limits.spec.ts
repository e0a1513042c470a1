import { declaredSettings, findSetting } from '../../src/platform/settings';
import { basic, post, register } from '../support/oauth/oauth';
import { FakeProvider } from '../support/oauth/fake-providers';
import { anyUserWith, createRole, UserWithGrants, userWith } from '../support/accounts/holders';
import { encoded, png } from '../support/accounts/pictures';
import { invite, StoredOrganization, storeOrganization } from '../support/organizations/invitations';
import { addMember } from '../support/organizations/organizations';
import { startWithProviders } from '../support/oauth/service-with-providers';
import { Answer, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

type Limited = Pick<Answer<object>, 'status' | 'headers' | 'body'>;
/** Prepares a subject of the limit and returns a request that counts for it. */
type Prepare = () => Promise<() => Promise<Limited>>;

let service: TestService;
let admin: TestClient;
let provider: FakeProvider;
let made = 0;

const unique = (): string => `limited_${++made}`;
const newcomer = (): Promise<TestClient> => service.signUp(unique());
const fromAddress =
  (path: string): Prepare =>
  async () => {
    const client = service.client();
    return () => client.get(path, { cookie: '', headers: { accept: 'application/json' } });
  };

/** An organization with a user who manages its members, and holds nothing elsewhere. */
async function managed(): Promise<{ organization: StoredOrganization; boss: UserWithGrants }> {
  const organization = await storeOrganization(service);
  const boss = await anyUserWith(service, admin);
  await addMember(admin, organization, boss, await createRole(admin, unique(), 'organization_member:*'));
  return { organization, boss };
}

const addTo = ({ client }: UserWithGrants, { id }: StoredOrganization, user: UserWithGrants): Promise<Limited> =>
  client.post(`/api/organization/${id}/members`, { user_id: user.id });

const rows: readonly [setting: string, request: string, prepare: Prepare][] = [
  [
    'rate.admin_writes_per_minute_user',
    'an administrator write',
    async () => {
      const { client } = await userWith(service, admin, unique(), 'role:*');
      return () => client.post('/api/role', { name: '!' });
    },
  ],
  [
    'rate.authorize_per_minute_ip',
    'a logout request of an anonymous browser',
    fromAddress('/api/oauth/logout?state=x'),
  ],
  [
    'rate.invitations_per_day_contact',
    'an invitation',
    async () => {
      const email = `${unique()}@example.com`;
      // Each time from another organization, because only one invitation of an organization is open.
      return async () => invite(admin, await storeOrganization(service), { email });
    },
  ],
  [
    'rate.invitations_per_day_organization',
    'an invitation',
    async () => {
      const organization = await storeOrganization(service);
      return () => invite(admin, organization, { email: `${unique()}@example.com` });
    },
  ],
  [
    'rate.invitations_per_day_organization_contact',
    'an invitation after a withdrawn one',
    async () => {
      const [organization, email] = [await storeOrganization(service), `${unique()}@example.com`];
      return async () => {
        const answer = await invite(admin, organization, { email });
        await admin.delete(`/api/organization/${organization.id}/invitations/${answer.body.id}`);
        return answer;
      };
    },
  ],
  [
    'rate.member_notices_per_day_organization',
    'a user added by an administrator of an organization',
    async () => {
      const { organization, boss } = await managed();
      return async () => addTo(boss, organization, await anyUserWith(service, admin));
    },
  ],
  [
    'rate.member_notices_per_day_user',
    'a user added by administrators of organizations',
    async () => {
      const user = await anyUserWith(service, admin);
      const places = await Promise.all([managed(), managed(), managed()]);
      return async () => {
        const { organization, boss } = places.shift()!;
        return addTo(boss, organization, user);
      };
    },
  ],
  ['rate.oauth_per_minute_ip', 'the start of a provider login', fromAddress('/api/oauth/login/idp')],
  [
    'rate.oauth_per_minute_ip',
    'a callback with a made-up state',
    fromAddress('/api/oauth/callback/idp?code=x&state=y'),
  ],
  [
    'rate.oauth_per_minute_ip',
    'a callback of an unknown provider',
    fromAddress('/api/oauth/callback/unknown?code=x&state=y'),
  ],
  [
    'rate.oauth_per_minute_ip',
    'the start of an account link',
    async () => {
      const client = await newcomer();
      return () => client.post('/api/oauth/bind/start', { name: provider.provider.name });
    },
  ],
  [
    'rate.account_exports_per_hour_user',
    'an export of the own data',
    async () => {
      const client = await newcomer();
      return () => client.get('/api/auth/me/export');
    },
  ],
  [
    'rate.avatar_uploads_per_hour_user',
    'an uploaded picture',
    async () => {
      const client = await newcomer();
      return () => client.put('/api/auth/me/avatar', { picture: encoded(png(1, 1)) });
    },
  ],
  [
    'rate.passkey_options_per_minute_ip',
    'login options',
    async () => {
      const client = service.client();
      return () => client.post('/api/auth/login/passkey/options');
    },
  ],
  [
    'rate.passkey_options_per_minute_user',
    'registration options',
    async () => {
      const client = await newcomer();
      return () => client.post('/api/auth/passkeys/options');
    },
  ],
  [
    'rate.refresh_per_minute_session',
    'a refresh',
    async () => {
      const client = await newcomer();
      return () => client.post('/api/auth/refresh');
    },
  ],
  [
    'rate.register_per_hour_ip',
    'a registration',
    async () => {
      const client = service.client();
      return () => client.post('/api/auth/register', { username: unique(), password: PASSWORD });
    },
  ],
  [
    'rate.search_per_minute_user',
    'a user search',
    async () => {
      const client = await newcomer();
      return () => client.post('/api/auth/users', { ids: [] });
    },
  ],
  [
    'rate.token_per_minute_client',
    'a token request',
    async () => {
      const client = await register(admin, { grant_types: ['client_credentials'], redirect_uris: [] });
      const form = { grant_type: 'client_credentials', scope: 'openid' };
      return () => post(service, '/api/oauth/token', form, basic(client)) as Promise<Limited>;
    },
  ],
];

function windowOf(key: string): number {
  if (key.includes('_per_day_')) return 86_400;
  return key.includes('_per_hour_') ? 3_600 : 60;
}

describe('a rate limit', () => {
  beforeAll(async () => {
    const started = await startWithProviders();
    service = started.service;
    provider = started.providers.add({ name: 'idp' });
    admin = await service.admin();
  });

  afterAll(() => service.stop());

  it.each(rows)('%s rejects %s with 429 and Retry-After, for its subject only', async (key, _, prepare) => {
    const setting = findSetting(key)!;
    const [request, ofAnother] = [await prepare(), await prepare()];
    await service.set(setting, 1);
    try {
      expect((await request()).status).not.toBe(429);
      const { status, headers, body } = await request();
      expect([status, JSON.stringify(body)]).toEqual([
        429,
        expect.stringMatching(/rate_limited|temporarily_unavailable/),
      ]);
      const seconds = Number(headers['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(windowOf(key));
      expect((await ofAnother()).status).not.toBe(429);
    } finally {
      await service.set(setting, setting.defaultValue);
    }
  });

  it('has a row above for every setting', () => {
    const declared = declaredSettings().flatMap(({ key }) => (key.startsWith('rate.') ? [key] : []));
    expect([...new Set(rows.map(([key]) => key))].sort()).toEqual(declared.sort());
  });
});
