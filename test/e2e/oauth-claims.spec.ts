import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { createRole, UserWithGrants, userWith, RoleAnswer } from '../support/accounts/holders';
import {
  begin,
  ISSUER,
  logInAt,
  interactionAt,
  register,
  Registered,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const SCOPES = ['openid', 'profile', 'email', 'offline_access', 'permissions'];
const ALL = ['id_token', 'userinfo', 'access_token'];
const CRM = 'urn:castellan:crm';
const OWN = { first_party: true };
const OFFLINE = { scope: 'openid offline_access' };

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  for (const [scope, id] of [
    ['crm', 'contact:read'],
    ['crm', 'contact:delete'],
    ['shop', 'order:read'],
  ]) {
    await admin.post('/api/permission', { scope, permission_id: id, description: 'Described' });
  }
  ann = await userWith(service, admin, 'ann', { scope: 'crm', permission_id: '*:*', level: 1 });
  const roles = [
    { name: 'lead', scope: 'crm' },
    { name: 'lead', scope: 'shop' },
    { name: 'lead' },
    { name: 'grafana-editor' },
  ];
  const made = await Promise.all(roles.map((role) => admin.post<RoleAnswer>('/api/role', role)));
  const { status } = await admin.post(`/api/user/${ann.id}/roles`, { role_ids: made.map(({ body }) => body.id) });
  expect(status).toBe(200);
});

const client = (claims: object[], more: object = {}): Promise<Registered> =>
  register(admin, { scopes: SCOPES, claims, ...more });
const partyOf = (registered: Registered): Promise<oidc.Configuration> => relyingParty(() => service, registered);

async function userinfo(token: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}` };
  return (await service.client().get<Record<string, unknown>>('/api/oauth/userinfo', { headers })).body;
}

type Tokens = Awaited<ReturnType<typeof logInAt>>;

const logIn = async (registered: Registered, parameters?: Record<string, string>): Promise<Tokens> =>
  logInAt(await partyOf(registered), ann.client, parameters);

describe('mapped claims', () => {
  it('are in the places of their mapping only', async () => {
    const registered = await client(
      ALL.map((place) => ({ name: `in_${place}`, from: 'constant', value: place, in: [place] })),
      { ...OWN, scopes: [...SCOPES, 'crm:contact:read'] },
    );
    const tokens = await logIn(registered);
    const named = (claims: object = {}): string[] => Object.keys(claims).filter((name) => name.startsWith('in_'));
    expect(named(tokens.claims())).toEqual(['in_id_token']);
    expect(named(await userinfo(tokens.access_token))).toEqual(['in_userinfo']);
    const { access_token: jwt } = await logIn(registered, { scope: 'openid crm:contact:read', resource: CRM });
    expect(named(decodeJwt(jwt))).toEqual(['in_access_token']);
    expect(decodeJwt(jwt)).toMatchObject({ aud: CRM, sub: ann.id, scope: 'crm:contact:read' });
  });

  it('keep roles of different scopes apart', async () => {
    const registered = await client(
      [
        { name: 'groups', from: 'roles', in: ['id_token'] },
        { name: 'crm', from: 'roles', filter: 'crm:', in: ['id_token'] },
        { name: 'grafana', from: 'roles', filter: 'grafana-', in: ['id_token'] },
        { name: 'own', from: 'roles', filter: 'lead', in: ['id_token'] },
      ],
      OWN,
    );
    expect((await logIn(registered)).claims()).toMatchObject({
      groups: ['crm:lead', 'grafana-editor', 'lead', 'user', 'shop:lead'],
      crm: ['crm:lead'],
      grafana: ['grafana-editor'],
      own: ['lead'],
    });
  });

  it('list the permissions of the catalogue that a limited wildcard allows, but not the wildcard', async () => {
    const registered = await client([{ name: 'rights', from: 'permissions', filter: 'crm:', in: ['userinfo'] }], OWN);
    const tokens = await logIn(registered);
    expect((await userinfo(tokens.access_token))['rights']).toEqual(['crm:contact:read']);
    await admin.patch(`/api/user/${ann.id}/permissions`, { add: [{ scope: 'crm', permission_id: '*:*', level: 7 }] });
    const all = ['crm:*:*', 'crm:contact:delete', 'crm:contact:read'];
    expect((await userinfo(tokens.access_token))['rights']).toEqual(all);
    await admin.patch(`/api/user/${ann.id}/permissions`, { add: [{ scope: 'crm', permission_id: '*:*', level: 1 }] });
  });

  it('give attributes, contacts only when they are verified', async () => {
    const claims = ['username', 'nickname', 'email', 'phone', 'locale'].map((value) => ({
      name: `my_${value}`,
      from: 'attribute',
      value,
      in: ['userinfo'],
    }));
    const registered = await client(claims, OWN);
    const unproved = {
      email: 'ann@example.com',
      email_verified: false,
      phone: '+8613800138009',
      phone_verified: false,
    };
    await admin.patch(`/api/user/${ann.id}`, { ...unproved, nickname: 'Annie', locale: 'zh' });
    const tokens = await logIn(registered);
    const own = async (): Promise<unknown> =>
      Object.entries(await userinfo(tokens.access_token)).filter(([name]) => name.startsWith('my_'));
    const others = [
      ['my_username', 'ann'],
      ['my_nickname', 'Annie'],
      ['my_locale', 'zh'],
    ];
    expect(await own()).toEqual(others);
    await admin.patch(`/api/user/${ann.id}`, { email_verified: true, phone_verified: true });
    expect(await own()).toEqual(
      expect.arrayContaining([...others, ['my_email', 'ann@example.com'], ['my_phone', '+8613800138009']]),
    );
    await admin.patch(`/api/user/${ann.id}`, { locale: null });
  });

  it('follow a role that is given or taken away, at userinfo at once and in tokens with a refresh', async () => {
    const bob = await userWith(service, admin, 'bob');
    const role = await createRole(admin, 'wiki-writer');
    const registered = await client(
      [{ name: 'groups', from: 'roles', filter: 'wiki-', in: ['id_token', 'userinfo'] }],
      {
        ...OWN,
      },
    );
    const config = await partyOf(registered);
    let tokens = await logInAt(config, bob.client, OFFLINE);
    expect(tokens.claims()).toMatchObject({ groups: [] });
    for (const [change, groups] of [
      [() => admin.post(`/api/role/${role.id}/users`, { user_ids: [bob.id] }), ['wiki-writer']],
      [() => admin.delete(`/api/role/${role.id}/users/${bob.id}`), []],
    ] as const) {
      await change();
      expect((await userinfo(tokens.access_token))['groups']).toEqual(groups);
      tokens = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
      expect(tokens.claims()?.['groups']).toEqual(groups);
    }
  });
});

describe('a client of others', () => {
  const GROUPS = { name: 'groups', from: 'roles', filter: 'crm:', in: ['id_token', 'userinfo'] };

  it('gets mapped claims only with the scope permissions, which the consent describes', async () => {
    const registered = await client([
      GROUPS,
      { name: 'login', from: 'attribute', value: 'username', in: ['userinfo'] },
    ]);
    const without = await logIn(registered, { scope: 'openid profile' });
    expect(without.claims()).not.toHaveProperty('groups');
    expect(await userinfo(without.access_token)).not.toHaveProperty('groups');
    const asked = await begin(await partyOf(registered), { scope: 'openid permissions' });
    const { body } = await interactionAt(ann.client, await redirectOf(ann.client, asked.url));
    expect(body.scopes).toEqual([{ name: 'permissions', description: 'See your roles and your username' }]);
    const tokens = await logIn(registered, { scope: 'openid offline_access permissions' });
    expect(tokens.claims()).toMatchObject({ groups: ['crm:lead'] });
    expect(await userinfo(tokens.access_token)).toMatchObject({ groups: ['crm:lead'], login: 'ann' });
    const narrow = await oidc.refreshTokenGrant(await partyOf(registered), tokens.refresh_token!, { scope: 'openid' });
    expect(narrow.claims()).not.toHaveProperty('groups');
    expect(await userinfo(narrow.access_token)).not.toHaveProperty('groups');
  });

  const fromUser = ['username', 'nickname', 'email', 'phone', 'locale'].map((value) => ({ from: 'attribute', value }));

  it.each([
    [
      'constants, which say nothing of the user',
      [{ from: 'constant', value: 'gold' }],
      'your permissions in this application',
    ],
    ['lists', [{ from: 'groups' }, { from: 'permissions' }, { from: 'groups' }], 'your groups and your permissions'],
    [
      'attributes',
      fromUser,
      'your username, your display name, your verified e-mail address, your verified phone number, and your language',
    ],
  ])('has them described at the consent: %s', async (_, sources, description) => {
    const claims = sources.map((source, at) => ({ name: `own_${at}`, ...source, in: ['userinfo'] }));
    const { url } = await begin(await partyOf(await client(claims)), { scope: 'openid permissions' });
    const { body } = await interactionAt(ann.client, await redirectOf(ann.client, url));
    expect(body.scopes).toContainEqual({ name: 'permissions', description: `See ${description}` });
  });

  it('does not get them in access tokens without the scope either', async () => {
    const claims = [{ ...GROUPS, in: ['access_token'] }];
    const registered = await client(claims, { scopes: [...SCOPES, 'crm:contact:read'] });
    const ask = async (scope: string): Promise<object> =>
      decodeJwt((await logIn(registered, { scope, resource: CRM })).access_token);
    expect(await ask('openid crm:contact:read')).not.toHaveProperty('groups');
    expect(await ask('openid crm:contact:read permissions')).toMatchObject({ groups: ['crm:lead'] });
  });

  it('cannot request the scope when it is not registered', async () => {
    const registered = await client([GROUPS], { scopes: ['openid'] });
    const { url } = await begin(await partyOf(registered), { scope: 'openid permissions' });
    expect(new URL(await redirectOf(ann.client, url)).searchParams.get('error')).toBe('invalid_scope');
  });

  it('needs a new consent when its claims disclose more, and no new one when they disclose less', async () => {
    const registered = await client([GROUPS]);
    const asked = { scope: 'openid permissions' };
    await logIn(registered, asked);
    const isAsked = async (): Promise<boolean> =>
      /^\/consent\?/.test(await redirectOf(ann.client, (await begin(await partyOf(registered), asked)).url));
    expect(await isAsked()).toBe(false);
    const change = (claim: object) => admin.patch(`/api/oauth/client/${registered.id}`, { claims: [claim] });
    await change({ ...GROUPS, filter: 'crm:le' });
    expect(await isAsked()).toBe(false);
    await change({ ...GROUPS, filter: '*' });
    expect(await isAsked()).toBe(true);
  });
});

describe('claims beyond 8 KiB', () => {
  const LARGE = { name: 'groups', from: 'roles', filter: 'large-', in: ['id_token', 'access_token'] };
  let dan: UserWithGrants;
  let names: string[];

  beforeAll(async () => {
    dan = await userWith(service, admin, 'dan');
    names = Array.from({ length: 250 }, (_, index) => `large-${'x'.repeat(30)}-${String(index).padStart(3, '0')}`);
    await service.query(
      `WITH made AS (INSERT INTO role (id, scope, name) SELECT gen_random_uuid(), 'iam', name
         FROM unnest($1::text[]) AS wanted (name) RETURNING id)
       INSERT INTO user_role (user_id, role_id) SELECT $2, id FROM made`,
      [names, dan.id],
    );
  });

  it('are references to userinfo, which has them, also if its own mapping does not', async () => {
    const small = { name: 'tenant', from: 'constant', value: 'acme', in: ['id_token'] };
    const registered = await client([LARGE, small], { ...OWN, scopes: [...SCOPES, 'crm:contact:read'] });
    const config = await partyOf(registered);
    const reference = {
      _claim_names: { groups: 'userinfo' },
      _claim_sources: { userinfo: { endpoint: `${ISSUER}/api/oauth/userinfo` } },
    };
    const tokens = await logInAt(config, dan.client, { scope: 'openid' });
    expect(tokens.claims()).toMatchObject({ tenant: 'acme', ...reference });
    expect(tokens.claims()).not.toHaveProperty('groups');
    expect((await userinfo(tokens.access_token))['groups']).toEqual(names);
    const { access_token: jwt } = await logInAt(config, dan.client, {
      scope: 'openid crm:contact:read',
      resource: CRM,
    });
    expect(decodeJwt(jwt)).toMatchObject(reference);
    expect(jwt.length).toBeLessThan(8_192);
  });
});
