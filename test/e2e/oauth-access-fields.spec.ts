import { randomUUID } from 'node:crypto';
import { createRole, UserWithGrants, userWith, RoleAnswer } from '../support/accounts/holders';
import { CALLBACK } from '../support/oauth/oauth';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Client extends Problem {
  readonly id: string;
  readonly access: object;
  readonly claims: object[];
}

const ROLES = { name: 'groups', from: 'roles', in: ['id_token', 'userinfo'] };
const IN_ACCESS_TOKEN = { ...ROLES, in: ['access_token'] };

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let editors: RoleAnswer;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  ann = await userWith(service, admin, 'ann', 'oauth_client:create');
  editors = await createRole(admin, 'editors');
});

const create = (body: object, by = ann.client): Promise<Answer<Client>> =>
  by.post<Client>('/api/oauth/client', { name: 'App', redirect_uris: [CALLBACK], ...body });
const change = (id: string, body: object, by = ann.client): Promise<Answer<Client>> =>
  by.patch<Client>(`/api/oauth/client/${id}`, body);
const problemsOf = ({ status, body }: Answer<Client>): unknown => [
  status,
  (body.errors ?? []).map(({ field, code }) => `${field} ${code}`),
];

describe('access of a client', () => {
  it('admits all users by default', async () => {
    const { body } = await create({});
    expect(body).toMatchObject({
      access: { mode: 'everybody', role_ids: [], group_ids: [], user_ids: [] },
      claims: [],
    });
  });

  it('is replaced as a whole by its owner, shown and audited', async () => {
    const { body: made } = await create({
      access: { mode: 'restricted', role_ids: [editors.id, editors.id], group_ids: [], user_ids: [ann.id] },
    });
    const access = { mode: 'restricted', role_ids: [editors.id], group_ids: [], user_ids: [ann.id] };
    expect(made.access).toEqual(access);
    const changed = await change(made.id, { access: { mode: 'restricted', user_ids: [ann.id] } });
    expect([changed.status, changed.body.access]).toEqual([200, { ...access, role_ids: [] }]);
    expect((await ann.client.get<Client>(`/api/oauth/client/${made.id}`)).body.access).toEqual(changed.body.access);
    const { body } = await admin.get<{ items: object[] }>(`/api/audit?target_id=${made.id}&action=oauth_client.update`);
    expect(body.items).toMatchObject([{ before: { access }, after: { access: changed.body.access } }]);
  });

  it.each<[string, object, string[]]>([
    ['an unknown mode', { mode: 'nobody' }, ['access.mode one_of']],
    ['no mode', {}, ['access.mode required']],
    ['a list', [], ['access type_object']],
    ['an unknown field', { mode: 'restricted', roles: [] }, ['access.roles unknown_field']],
    ['a malformed id', { mode: 'restricted', user_ids: ['ann'] }, ['access.user_ids[0] id']],
    ['an unknown group', { mode: 'restricted', group_ids: [randomUUID()] }, ['access.group_ids[0] unknown_group']],
    [
      'unknown ids',
      { mode: 'restricted', role_ids: [randomUUID()], user_ids: [randomUUID()] },
      ['access.role_ids[0] unknown_role', 'access.user_ids[0] unknown_user'],
    ],
  ])('is rejected with %s', async (_, access, problems) => {
    expect(problemsOf(await create({ access }))).toEqual([400, problems]);
  });

  it('keeps a role that is gone until it is removed, and accepts no new one that is gone', async () => {
    const gone = await createRole(admin, 'gone');
    const { body: made } = await create({ access: { mode: 'restricted', role_ids: [gone.id] } });
    expect((await admin.delete(`/api/role/${gone.id}`)).status).toBe(204);
    const both = { mode: 'restricted', role_ids: [gone.id, editors.id] };
    expect((await change(made.id, { access: both })).status).toBe(200);
    expect(problemsOf(await create({ access: both }))).toEqual([400, ['access.role_ids[0] unknown_role']]);
  });
});

describe('claims of a client', () => {
  it('are replaced as a whole by its owner, shown and audited', async () => {
    const claims = [
      { name: 'groups', from: 'roles', filter: 'grafana-', in: ['id_token', 'userinfo'] },
      { name: 'team', from: 'constant', value: 'ops', in: ['userinfo'] },
      { name: 'https://example.com/login', from: 'attribute', value: 'username', in: ['id_token'] },
      { name: 'rights', from: 'permissions', filter: '*', in: ['userinfo'] },
    ];
    const { body: made } = await create({ claims });
    expect(made.claims).toEqual(claims);
    const changed = await change(made.id, { claims: [ROLES] });
    expect([changed.status, changed.body.claims]).toEqual([200, [ROLES]]);
    const path = `/api/audit?target_id=${made.id}&action=oauth_client.update`;
    const audited = async (): Promise<object[]> => (await admin.get<{ items: object[] }>(path)).body.items;
    expect(await audited()).toMatchObject([{ before: { claims }, after: { claims: [ROLES] } }]);
    expect((await change(made.id, { claims: [ROLES] })).status).toBe(200);
    expect(await audited()).toHaveLength(1);
  });

  it.each<[string, object[], string[]]>([
    ['a name of the protocol', [{ ...ROLES, name: 'sub' }], ['claims[0].name reserved_claim']],
    ['a standard claim', [{ ...ROLES, name: 'email_verified' }], ['claims[0].name reserved_claim']],
    ['a reference', [{ ...ROLES, name: '_claim_names' }], ['claims[0].name reserved_claim']],
    ['the name of the prototype', [{ ...ROLES, name: '__proto__' }], ['claims[0].name claim_name']],
    ['a space in the name', [{ ...ROLES, name: 'my groups' }], ['claims[0].name claim_name']],
    ['a value for groups', [{ ...ROLES, from: 'groups', value: 'x' }], ['claims[0].value claim_without_value']],
    ['an unknown source', [{ ...ROLES, from: 'teams' }], ['claims[0].from one_of']],
    ['a star inside the filter', [{ ...ROLES, filter: 'grafana-*' }], ['claims[0].filter claim_filter']],
    ['a value for roles', [{ ...ROLES, value: 'x' }], ['claims[0].value claim_without_value']],
    ['a constant without a value', [{ ...ROLES, from: 'constant' }], ['claims[0].value required']],
    [
      'an unknown attribute',
      [{ ...ROLES, from: 'attribute', value: 'password' }],
      ['claims[0].value attribute_unknown'],
    ],
    [
      'a filter for a constant',
      [{ ...ROLES, from: 'constant', value: 'x', filter: 'y' }],
      ['claims[0].filter claim_without_filter'],
    ],
    ['no place', [{ ...ROLES, in: [] }], ['claims[0].in min_items']],
    ['one name twice in a place', [ROLES, { ...ROLES, in: ['userinfo'] }], ['claims[1].name claim_twice']],
    ['too many', Array.from({ length: 51 }, (_, index) => ({ ...ROLES, name: `c${index}` })), ['claims max_items']],
  ])('are rejected with %s', async (_, claims, problems) => {
    expect(problemsOf(await create({ claims }))).toEqual([400, problems]);
  });

  it('may have one name in different places', async () => {
    const claims = [
      { ...ROLES, in: ['id_token'] },
      { ...ROLES, from: 'permissions', in: ['userinfo'] },
    ];
    expect((await create({ claims })).status).toBe(201);
  });
});

describe('authority over claims', () => {
  const outcome = ({ status, body }: Answer<Client>): unknown => [status, body.code];
  const DENIED = [403, 'escalation_denied'];

  it('lets only a holder of everything put claims into access tokens, which other services trust', async () => {
    expect(outcome(await create({ claims: [IN_ACCESS_TOKEN] }))).toEqual(DENIED);
    const { body: made } = await create({ claims: [ROLES] });
    expect(outcome(await change(made.id, { claims: [IN_ACCESS_TOKEN] }))).toEqual(DENIED);
    expect((await change(made.id, { claims: [IN_ACCESS_TOKEN] }, admin)).status).toBe(200);
    expect((await change(made.id, { claims: [] })).status).toBe(200);
  });

  it('is not enough with everything in one scope, because tokens reach services of every scope', async () => {
    const local = await userWith(service, admin, 'local', { scope: 'iam', permission_id: '*:*' });
    expect(outcome(await create({ claims: [IN_ACCESS_TOKEN] }, local.client))).toEqual(DENIED);
  });

  it('lets only a holder of *:* decide what a first-party client learns, because no user consents', async () => {
    const { body: made } = await create({});
    expect((await change(made.id, { first_party: true }, admin)).status).toBe(200);
    expect(outcome(await change(made.id, { claims: [ROLES] }))).toEqual(DENIED);
    expect((await change(made.id, { claims: [ROLES] }, admin)).status).toBe(200);
    expect((await change(made.id, { access: { mode: 'restricted' } })).status).toBe(200);
  });
});
