import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import { CALLBACK } from '../support/oauth/oauth';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const UNKNOWN = '01900000-0000-7000-8000-00000000cafe';
const ROLE = ['organization:update', 'oauth_client:admin', 'user:admin', 'audit:read'];

interface Client extends Problem {
  readonly id: string;
  readonly client_id: string;
  readonly name: string;
  readonly organization_id: string | null;
  readonly owner_id: string | null;
  readonly enabled: boolean;
  readonly disabled_by_service?: boolean;
}
interface List {
  readonly items: Client[];
  readonly total: number;
}

let service: TestService;
let admin: TestClient;
let [acme, globex]: OrganizationAnswer[] = [];
let manager: RoleAnswer;
let olga: UserWithGrants;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  [acme, globex] = [await createOrganization(admin, 'acme'), await createOrganization(admin, 'globex')];
  manager = await createRole(admin, 'client_manager', ...ROLE);
  olga = await managerOf(acme);
});

/** Administers the applications of the organization, and holds nothing elsewhere. */
async function managerOf(organization: OrganizationAnswer): Promise<UserWithGrants> {
  const holder = await anyUserWith(service, admin);
  await addMember(admin, organization, holder, manager);
  return holder;
}

const bodyOf = (more: object = {}): object => ({
  name: 'App',
  redirect_uris: [CALLBACK],
  scopes: ['openid', 'email'],
  organization_id: acme!.id,
  ...more,
});
const create = (more: object = {}, by = olga, there = within(acme!)): Promise<Answer<Client>> =>
  by.client.post<Client>('/api/oauth/client', bodyOf(more), there);
const change = (id: string, body: object, by = olga, there = within(acme!)): Promise<Answer<Client>> =>
  by.client.patch<Client>(`/api/oauth/client/${id}`, body, there);
/** Registered by an administrator of the service. */
const registered = async (more: object = {}): Promise<Client> => {
  const answer = await admin.post<Client>('/api/oauth/client', bodyOf(more));
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
};

describe('an administrator of an organization', () => {
  it('registers clients of the organization, which have no owner', async () => {
    const { status, body } = await create();
    expect([status, body.organization_id, body.owner_id]).toEqual([201, acme!.id, null]);
    const path = `/api/oauth/client/${body.id}`;
    expect((await olga.client.get(path, within(acme!))).status).toBe(200);
    expect((await change(body.id, { name: 'Renamed', redirect_uris: ['https://b.example.com'] })).body.name).toBe(
      'Renamed',
    );
    expect((await olga.client.post(`${path}/secret`, {}, within(acme!))).status).toBe(200);
    expect((await olga.client.delete(path, within(acme!))).status).toBe(204);
    expect((await olga.client.get(path, within(acme!))).status).toBe(404);
  });

  it('does not enable a client again that the service disabled', async () => {
    const { body } = await create();
    const enable = (enabled: boolean, by = olga): Promise<Answer<Client>> => change(body.id, { enabled }, by);
    const byService = (enabled: boolean): Promise<Answer<Client>> =>
      admin.patch<Client>(`/api/oauth/client/${body.id}`, { enabled });
    expect((await enable(false)).body.disabled_by_service).toBeUndefined();
    expect((await enable(true)).status).toBe(200);
    expect((await byService(false)).body.disabled_by_service).toBe(true);
    expectProblem(await enable(true), 403, 'escalation_denied');
    // That would not make it theirs.
    expect((await enable(false)).body).toMatchObject({ enabled: false, disabled_by_service: true });
    expectProblem(await enable(true), 403, 'escalation_denied');
    expect((await change(body.id, { name: 'Still theirs' })).body.name).toBe('Still theirs');
    const enabled = await byService(true);
    expect([enabled.body.enabled, enabled.body.disabled_by_service]).toEqual([true, undefined]);
    expect((await enable(false)).body.disabled_by_service).toBeUndefined();
    // Already disabled: from now on by the service.
    expect((await byService(false)).body.disabled_by_service).toBe(true);
    expectProblem(await enable(true), 403, 'escalation_denied');
  });

  it('registers none elsewhere, and no answer shows which organizations exist', async () => {
    for (const organization_id of [undefined, null, globex!.id, UNKNOWN]) {
      const { status, body } = await create({ organization_id });
      expect([status, body.code]).toEqual([403, 'permission_denied']);
    }
    expectProblem(await create({}, olga, { headers: {} }), 403, 'permission_denied');
  });

  it('lists the clients of the organization only, and counts no others', async () => {
    const here = await createOrganization(admin, 'listed');
    const lister = await managerOf(here);
    const mine = [
      await create({ organization_id: here.id }, lister, within(here)),
      await create({ organization_id: here.id }, lister, within(here)),
    ];
    await registered();
    await registered({ organization_id: null });
    const list = async (query: string): Promise<List> =>
      (await lister.client.get<List>(`/api/oauth/client${query}`, within(here))).body;
    const all = await list(`?organization_id=${here.id}`);
    expect([all.items.map(({ id }) => id), all.total]).toEqual([mine.map(({ body }) => body.id).reverse(), 2]);
    for (const query of ['', `?organization_id=${acme!.id}`, `?organization_id=${UNKNOWN}`]) {
      expect(await list(query)).toMatchObject({ items: [], total: 0 });
    }
    expect((await admin.get<List>(`/api/oauth/client?organization_id=${here.id}`)).body.total).toBe(2);
  });

  it('finds no client without naming the organization, and none of others', async () => {
    const { body: own } = await create();
    const others = [await registered({ organization_id: globex!.id }), await registered({ organization_id: null })];
    for (const [id, headers] of [
      [own.id, {}],
      [others[0]!.id, within(acme!).headers],
      [others[1]!.id, within(acme!).headers],
    ] as const) {
      const path = `/api/oauth/client/${id}`;
      const answers = [
        await olga.client.get<Problem>(path, { headers }),
        await change(id, { name: 'Stolen' }, olga, { headers }),
        await olga.client.post<Problem>(`${path}/secret`, {}, { headers }),
        await olga.client.post<Problem>(`${path}/preview`, { user_id: olga.id }, { headers }),
        await olga.client.delete<Problem>(path, { headers }),
      ];
      for (const answer of answers) expectProblem(answer, 404, 'not_found');
    }
  });

  it.each([
    ['permissions among the scopes', { scopes: ['openid', 'role:read'] }],
    ['introspection', { introspection_resources: ['urn:castellan:iam'] }],
    ['a client without consent', { first_party: true }],
    ['claims in access tokens', { claims: [{ name: 'x', from: 'constant', value: 'y', in: ['access_token'] }] }],
    ['claims of what members hold elsewhere', { claims: [{ name: 'x', from: 'groups', in: ['id_token'] }] }],
  ])('does not get %s', async (_, more) => {
    expectProblem(await create(more), 403, 'escalation_denied');
    const { body } = await create();
    expectProblem(await change(body.id, more), 403, 'escalation_denied');
  });

  it.each([['https://b.example.com/#x'], ['http://b.example.com/'], ['javascript:alert(1)']])(
    'gives no client the redirect URI %s',
    async (uri) => {
      expectProblem(await create({ redirect_uris: [uri] }), 400, 'validation_failed');
    },
  );

  it('cannot untie or move a client', async () => {
    const { body } = await create();
    await addMember(admin, globex!, olga, manager);
    for (const organization_id of [null, globex!.id, UNKNOWN]) {
      expectProblem(await change(body.id, { organization_id }), 403, 'escalation_denied');
    }
    await admin.delete(`/api/organization/${globex!.id}/members/${olga.id}`);
    expect((await change(body.id, { organization_id: acme!.id })).status).toBe(200);
  });

  it('admits members by their ids, and learns of no others', async () => {
    const [member, stranger] = [await anyUserWith(service, admin), await anyUserWith(service, admin)];
    await addMember(admin, acme!, member);
    const { body: group } = await admin.post<{ id: string }>('/api/group', { name: 'Everyone' });
    const { body } = await create();
    const access = (more: object): Promise<Answer<Client>> =>
      change(body.id, { access: { mode: 'restricted', ...more } });
    for (const id of [stranger.id, UNKNOWN]) {
      expect((await access({ user_ids: [member.id, id] })).body.errors).toMatchObject([
        { field: 'access.user_ids[1]', code: 'unknown_user' },
      ]);
    }
    for (const id of [manager.id, UNKNOWN]) {
      expect((await access({ role_ids: [id] })).body.errors).toMatchObject([{ code: 'unknown_role' }]);
    }
    for (const id of [group.id, UNKNOWN]) {
      expect((await access({ group_ids: [id] })).body.errors).toMatchObject([{ code: 'unknown_group' }]);
    }
    expect((await access({ user_ids: [member.id] })).status).toBe(200);
    const byRole = { mode: 'restricted', user_ids: [member.id], role_ids: [manager.id] };
    expect((await admin.patch(`/api/oauth/client/${body.id}`, { access: byRole })).status).toBe(200);
    // Now who gets in shows who holds the role.
    expectProblem(await access({ user_ids: [] }), 403, 'escalation_denied');
  });

  it('changes no client that may do more than the administrator', async () => {
    const mighty = [
      await registered({ scopes: ['openid', 'role:read'] }),
      await registered({ introspection_resources: ['urn:castellan:iam'] }),
      await registered({ first_party: true }),
      await registered({ claims: [{ name: 'x', from: 'constant', value: 'y', in: ['access_token'] }] }),
      await registered({ claims: [{ name: 'x', from: 'roles', in: ['id_token', 'userinfo'] }] }),
      await registered({ access: { mode: 'restricted', role_ids: [(await createRole(admin, 'admitted')).id] } }),
    ];
    for (const { id } of mighty) {
      const path = `/api/oauth/client/${id}`;
      expect((await olga.client.get(path, within(acme!))).status).toBe(200);
      expectProblem(await change(id, { name: 'Mine' }), 403, 'escalation_denied');
      expectProblem(await olga.client.post<Problem>(`${path}/secret`, {}, within(acme!)), 403, 'escalation_denied');
      expectProblem(await olga.client.delete<Problem>(path, within(acme!)), 403, 'escalation_denied');
    }
  });

  it('changes other clients of the organization, whoever owns them', async () => {
    const { id, owner_id } = await registered();
    const { body } = await change(id, { name: 'Adopted' });
    expect([body.name, body.owner_id]).toEqual(['Adopted', owner_id]);
  });

  it.each([
    ['change', 'oauth_client:read', 'permission_denied'],
    ['tie', 'oauth_client:admin', 'escalation_denied'],
  ])('needs the permission to %s', async (_, permission, code) => {
    const role = await createRole(admin, `only_${permission.replace(':', '_')}`, permission);
    const reader = await anyUserWith(service, admin);
    await addMember(admin, acme!, reader, role);
    const { id } = await registered();
    expectProblem(await change(id, { name: 'Mine' }, reader), 403, code);
    expectProblem(await create({}, reader), 403, code);
  });

  it('keeps nothing of the clients after losing the role', async () => {
    const former = await managerOf(acme!);
    const { body } = await create({}, former);
    await admin.delete(`/api/organization/${acme!.id}/members/${former.id}`);
    for (const there of [within(acme!), { headers: {} }]) {
      expectProblem(
        await change(body.id, { redirect_uris: ['https://evil.example.com'] }, former, there),
        404,
        'not_found',
      );
      expectProblem(
        await former.client.post<Problem>(`/api/oauth/client/${body.id}/secret`, {}, there),
        404,
        'not_found',
      );
    }
  });

  it('previews members only', async () => {
    const stranger = await anyUserWith(service, admin);
    const { body } = await create();
    const preview = (user_id: string): Promise<Answer<Problem & { allowed: boolean }>> =>
      olga.client.post(`/api/oauth/client/${body.id}/preview`, { user_id }, within(acme!));
    expect((await preview(olga.id)).body.allowed).toBe(true);
    for (const id of [stranger.id, UNKNOWN]) expectProblem(await preview(id), 404, 'not_found');
  });

  it('previews no client that discloses what members hold elsewhere', async () => {
    const { id: role } = await createRole(admin, 'held_elsewhere');
    const disclosing = [
      { claims: [{ name: 'x', from: 'permissions', in: ['userinfo'] }] },
      { access: { mode: 'restricted', role_ids: [role], user_ids: [olga.id] } },
    ];
    for (const more of disclosing) {
      const path = `/api/oauth/client/${(await registered(more)).id}/preview`;
      const preview = (client: TestClient) => client.post<Problem>(path, { user_id: olga.id }, within(acme!));
      expectProblem(await preview(olga.client), 403, 'permission_denied');
      expect((await preview(admin)).status).toBe(200);
    }
  });

  it('does not make machines that may do anything here', async () => {
    const machine = { grant_types: ['client_credentials'], redirect_uris: [] };
    expect((await create({ ...machine, scopes: ['openid'] })).status).toBe(201);
    expectProblem(await create({ ...machine, scopes: ['permission:read'] }), 403, 'escalation_denied');
  });
});

describe('whoever holds the permissions everywhere', () => {
  it('owns the clients that they register, also for an organization', async () => {
    const developer = await anyUserWith(service, admin, 'oauth_client:create', 'organization:update');
    const { status, body } = await create({}, developer, { headers: {} });
    expect([status, body.owner_id, body.organization_id]).toEqual([201, developer.id, acme!.id]);
    expect((await change(body.id, { organization_id: null }, developer, { headers: {} })).status).toBe(200);
  });

  it('say who may use a client of theirs only while they may tie it', async () => {
    const developer = await anyUserWith(service, admin, 'oauth_client:create', 'organization:update');
    const { body } = await create({}, developer, { headers: {} });
    const access = { mode: 'restricted', user_ids: [developer.id] };
    await admin.patch(`/api/user/${developer.id}/permissions`, { remove: ['organization:update'] });
    expectProblem(await change(body.id, { access }, developer, { headers: {} }), 403, 'escalation_denied');
    expect((await change(body.id, { name: 'Renamed' }, developer, { headers: {} })).status).toBe(200);
    await admin.patch(`/api/user/${developer.id}/permissions`, { add: [{ permission_id: 'organization:update' }] });
    expect((await change(body.id, { access }, developer, { headers: {} })).status).toBe(200);
  });
});
