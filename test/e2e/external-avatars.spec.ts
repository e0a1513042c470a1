import 'reflect-metadata';
import { fetchUserInfo } from 'openid-client';
import { UsersApi } from '../../src';
import { appBackgroundImage, appFavicon, appLogo, appLogoDark } from '../../src/settings';
import { externalAvatars } from '../../src/users';
import { FakeProviders, roundTrip } from '../support/oauth/fake-providers';
import { createGroup, joinGroup } from '../support/accounts/groups';
import { createRole, UserWithGrants, userWith } from '../support/accounts/holders';
import {
  begin,
  logInAt,
  interactionAt,
  Registered,
  registerApp,
  relyingParty,
  redirectOf,
  WithApp,
} from '../support/oauth/oauth';
import { addMember, createOrganization } from '../support/organizations/organizations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const ME = '/api/auth/me';
const ELSEWHERE = 'https://watcher.example/ann.png';
const GENERATED = /^\/api\/avatar\/[A-Za-z0-9_-]{1,64}\.svg$/;

let service: TestService;
let admin: TestClient;
let app: Registered;
let config: WithApp['config'];
let ann: UserWithGrants;

withService(async (started) => {
  ({ service, admin, app, config } = await registerApp(started));
  ann = await userWith(service, admin, 'ann');
  expect((await ann.client.patch(ME, { avatar: ELSEWHERE })).status).toBe(200);
});

beforeEach(() => service.set(externalAvatars, false));

const storedAvatar = async (username: string): Promise<unknown> =>
  (await service.query('SELECT avatar FROM user_account WHERE username = $1', [username]))[0]?.['avatar'];

const fieldsOf = ({ status, body }: Answer<Problem>): unknown[] => [
  status,
  body.code,
  ...(body.errors ?? []).map(({ field, code }) => `${field}: ${code}`),
];

describe('an avatar at another site', () => {
  let paths: [string, string][];

  beforeAll(async () => {
    const role = await createRole(admin, 'painters');
    await admin.post(`/api/role/${role.id}/users`, { user_ids: [ann.id] });
    const group = await createGroup(admin, 'painters');
    await joinGroup(admin, group.id, ann.id);
    const organization = await createOrganization(admin, 'painters');
    await addMember(admin, organization, ann);
    const members = `/api/organization/${organization.id}/members`;
    paths = [
      ['GET', '/api/user'],
      ['GET', '/api/user?cursor='],
      ['GET', '/api/user?details=true&keyword=ann'],
      ['GET', `/api/user/${ann.id}`],
      ['GET', `/api/role/${role.id}/users`],
      ['GET', `/api/role/${role.id}/users?cursor=`],
      ['GET', `/api/group/${group.id}/users`],
      ['GET', members],
      ['GET', `${members}?cursor=`],
      ['GET', `${members}/${ann.id}`],
    ];
  });

  /** Every response that shows the user, by the request. */
  async function shown(): Promise<[string, string][]> {
    const lists = paths.map(async ([method, path]) => {
      const { status, text } = await admin.send(method as 'GET', path);
      expect([path, status]).toEqual([path, 200]);
      return [path, text] as [string, string];
    });
    const named = async (name: string, work: Promise<Answer<unknown>>): Promise<[string, string]> => [
      name,
      (await work).text,
    ];
    const page = await redirectOf(ann.client, (await begin(config)).url);
    return Promise.all([
      ...lists,
      named('me', ann.client.get(ME)),
      named('change', ann.client.patch(ME, { nickname: 'Ann' })),
      named(
        'login',
        service.client().post('/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD }),
      ),
      named('search', ann.client.post('/api/auth/users', { ids: [ann.id], keyword: 'an' })),
      named('administrator', admin.patch(`/api/user/${ann.id}`, { nickname: 'Ann' })),
      named('interaction', interactionAt(ann.client, page)),
      named('preview', admin.post(`/api/oauth/client/${app.id}/preview`, { user_id: ann.id })),
    ]);
  }

  it('is in no response while the setting is off, and in each one when it is on again', async () => {
    for (const [name, text] of await shown()) {
      expect([name, text.includes('watcher.example')]).toEqual([name, false]);
      expect([name, text.includes(`/api/avatar/${ann.id}.svg`)]).toEqual([name, true]);
    }
    expect(await storedAvatar('ann')).toBe(ELSEWHERE);
    await service.set(externalAvatars, true);
    for (const [name, text] of await shown()) expect([name, text.includes(ELSEWHERE)]).toEqual([name, true]);
  });

  it('is replaced by a picture that this service draws', async () => {
    const { body } = await ann.client.get<{ avatar: string }>(ME);
    expect((await service.client().get(body.avatar)).status).toBe(200);
  });

  it('is not in the claims of OpenID Connect', async () => {
    const party = await relyingParty(() => service, app);
    const { access_token: token } = await logInAt(party, ann.client);
    const { picture } = await fetchUserInfo(party, token, ann.id);
    expect(picture).toMatch(new RegExp(`/api/avatar/${ann.id}\\.svg$`));
  });

  it('is not in what the code of a host reads', async () => {
    const users = service.app.get(UsersApi, { strict: false });
    const found = [
      await users.find('ann'),
      await users.findById(ann.id),
      (await users.list({ keyword: 'ann' })).items.find(({ id }) => id === ann.id),
      await users.update(ann.id, { nickname: 'Annie' }),
      await users.enable(ann.id),
    ];
    expect(found.map((user) => user?.avatar)).toEqual(Array(found.length).fill(`/api/avatar/${ann.id}.svg`));
  });

  it('stays in the own data, which leave with the user', async () => {
    expect((await ann.client.get('/api/auth/me/export')).text).toContain(ELSEWHERE);
  });

  it('cannot be set', async () => {
    const refused = [400, 'validation_failed', 'avatar: own_avatar'];
    const other = { avatar: 'https://watcher.example/other.png' };
    expect(fieldsOf(await ann.client.patch<Problem>(ME, other))).toEqual(refused);
    expect(fieldsOf(await admin.patch<Problem>(`/api/user/${ann.id}`, other))).toEqual(refused);
    expect(await storedAvatar('ann')).toBe(ELSEWHERE);
  });

  it('stays when the profile is sent back as it was shown', async () => {
    const { body } = await ann.client.get<{ avatar: string }>(ME);
    const sent = await ann.client.patch<{ avatar: string }>(ME, { nickname: 'Anna', avatar: body.avatar });
    expect([sent.status, sent.body.avatar]).toEqual([200, body.avatar]);
    expect((await admin.patch(`/api/user/${ann.id}`, { avatar: ELSEWHERE })).status).toBe(200);
    expect(await storedAvatar('ann')).toBe(ELSEWHERE);
  });

  it('can be replaced by an own one', async () => {
    const bob = await userWith(service, admin, 'bob_pictured');
    await service.set(externalAvatars, true);
    await bob.client.patch(ME, { avatar: ELSEWHERE });
    await service.set(externalAvatars, false);
    const { status, body } = await bob.client.patch<{ avatar: string }>(ME, { avatar: '/api/avatar/mine.svg' });
    expect([status, body.avatar]).toEqual([200, '/api/avatar/mine.svg']);
    expect(await storedAvatar('bob_pictured')).toBe('/api/avatar/mine.svg');
  });
});

describe('an avatar from a login provider', () => {
  let providers: FakeProviders;

  beforeAll(() => {
    providers = new FakeProviders(service);
  });
  afterAll(() => {
    FakeProviders.removeFrom(service);
  });

  it('is not stored for a user who is registered automatically', async () => {
    const provider = providers.door();
    provider.person('auto', { nickname: 'autopictured', avatar: ELSEWHERE });
    const client = service.client();
    expect((await roundTrip(client, provider)).body.status).toBe('logged_in');
    const { body } = await client.get<{ username: string }>(ME);
    expect(await storedAvatar(body.username)).toMatch(GENERATED);
  });

  it('is neither offered on the page that links an account, nor stored', async () => {
    const provider = providers.add();
    provider.person('bound', { avatar: ELSEWHERE });
    const client = service.client();
    const answer = await roundTrip(client, provider);
    expect(answer.body.profile?.['avatar']).toMatch(GENERATED);
    const offer = await client.get<{ profile: object }>('/api/oauth/bind');
    expect(offer.body.profile).toEqual(answer.body.profile);
    expect((await client.post('/api/oauth/bind/register', { username: 'bound_pictured' })).status).toBe(201);
    expect(await storedAvatar('bound_pictured')).toMatch(GENERATED);
  });

  it('is offered and stored while the setting is on', async () => {
    await service.set(externalAvatars, true);
    const provider = providers.add();
    provider.person('free', { avatar: ELSEWHERE });
    const client = service.client();
    expect((await roundTrip(client, provider)).body.profile).toMatchObject({ avatar: ELSEWHERE });
    expect((await client.post('/api/oauth/bind/register', { username: 'free_pictured' })).status).toBe(201);
    expect(await storedAvatar('free_pictured')).toBe(ELSEWHERE);
  });
});

describe('the pages', () => {
  const PAGES = ['/', '/login', '/bind', '/account', '/admin', '/account/organizations'];
  const PROTOCOL = '/api/oauth/authorize?client_id=nobody';
  const settings = [appLogo, appLogoDark, appFavicon, appBackgroundImage];
  let providers: FakeProviders;

  beforeAll(() => {
    providers = new FakeProviders(service);
  });
  afterEach(async () => {
    for (const setting of settings) await service.set(setting, '');
  });
  afterAll(() => {
    FakeProviders.removeFrom(service);
  });

  /** `img-src` of the page. */
  async function imagesOf(path: string): Promise<string | undefined> {
    const { headers } = await service.client().get(path, { headers: { accept: 'text/html' } });
    return /img-src ([^;]*);/.exec(String(headers['content-security-policy']))?.[1];
  }

  it.each([...PAGES, PROTOCOL])('load images of this service only while the setting is off: %s', async (path) => {
    expect(await imagesOf(path)).toBe("'self' data:");
    await service.set(externalAvatars, true);
    expect(await imagesOf(path)).toBe("'self' https: data:");
  });

  it.each([...PAGES, PROTOCOL])('load the pictures of the brand from exactly their origins: %s', async (path) => {
    await service.set(appLogo, 'https://cdn.example:8443/logo.png');
    await service.set(appLogoDark, 'https://cdn.example:8443/dark.png');
    await service.set(appFavicon, '/icon.png');
    await service.set(appBackgroundImage, 'https://sea.example/sea.jpg');
    expect(await imagesOf(path)).toBe("'self' https://cdn.example:8443 https://sea.example data:");
  });

  it.each(['https://*/logo.png', 'https://a;script-src/logo.png', "https://'self'/logo.png"])(
    'let no address change the policy: %s',
    async (address) => {
      await service.set(appLogo, address).catch(() => undefined);
      for (const path of ['/', '/login', PROTOCOL]) expect(await imagesOf(path)).toBe("'self' data:");
    },
  );

  it('load the icons of login providers', async () => {
    providers.add({ icon: 'https://icons.example/idp.svg' });
    expect(await imagesOf('/login')).toBe("'self' https://icons.example data:");
  });

  it('preview unsaved pictures from anywhere, because the preview shows no user', async () => {
    expect(await imagesOf('/sign-in-preview')).toBe("'self' https: data:");
  });
});
