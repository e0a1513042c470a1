import { expectProblem } from '../support/service/expect-problem';
import { createGroup, GroupAnswer, joinGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import { expectUnknown, InvitationAnswer, invite, invited, showInvitation } from '../support/organizations/invitations';
import { createRoleOf } from '../support/organizations/organization-roles';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: object }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

type Send = (as: TestClient) => Promise<Answer<Problem>>;

const RIGHTS = ['organization_member:*', 'group:*', 'invitation:*', 'organization_domain:*', 'role:*', 'plan:read'];

let service: TestService;
let admin: TestClient;
let home: OrganizationAnswer;
/** Holds everything that gives roles, in `home` only. */
let lead: UserWithGrants;
/** The same everywhere. */
let everywhere: UserWithGrants;
/** A role of the service that grants nothing: applications trust its name. */
let auditor: RoleAnswer;
let planner: RoleAnswer;
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  home = await createOrganization(admin, 'home');
  auditor = await createRole(admin, 'auditor');
  planner = await createRole(admin, 'planner', 'plan:read');
  lead = await memberOf(await createRole(admin, 'lead', ...RIGHTS));
  everywhere = await anyUserWith(service, admin, ...RIGHTS);
  await addMember(admin, home, everywhere);
});

async function memberOf(...roles: { id: string }[]): Promise<UserWithGrants> {
  const member = await anyUserWith(service, admin);
  await addMember(admin, home, member, ...roles);
  return member;
}

const newName = (): string => `Powerless ${made++}`;
const newEmail = (): string => `baseline_guest${made++}@example.com`;
const path = (part: string): string => `/api/organization/${home.id}/${part}`;
const groupOf = (more: object = {}): Promise<GroupAnswer> =>
  createGroup(admin, newName(), { organization_id: home.id, ...more });
const rolesOf = async ({ id }: UserWithGrants): Promise<string[]> =>
  (await admin.get<{ role_ids: string[] }>(path(`members/${id}`))).body.role_ids;

async function domainWith(body: object): Promise<string> {
  const domain = `baseline${made++}.example`;
  expect((await admin.post(path('domains'), { domain })).status).toBe(201);
  expect((await admin.patch(path(`domains/${domain}`), body)).status).toBe(200);
  return path(`domains/${domain}`);
}

const given = async (): Promise<unknown> => ({
  members: await service.query('SELECT * FROM organization_member_role ORDER BY organization_id, user_id, role_id'),
  groups: await service.query('SELECT * FROM user_group_role ORDER BY group_id, role_id'),
  paths: await service.query('SELECT id, path FROM user_group ORDER BY id'),
  joined: await service.query('SELECT * FROM user_group_member ORDER BY group_id, user_id'),
  invitations: await service.query('SELECT id, inviter_id, token_digest FROM invitation ORDER BY id'),
  invited: await service.query('SELECT * FROM invitation_role ORDER BY invitation_id, role_id'),
  domains: await service.query('SELECT domain, members_join FROM organization_domain ORDER BY domain'),
  byDomain: await service.query('SELECT * FROM organization_domain_role ORDER BY domain, role_id'),
});

/** Every way by which a role of the service reaches members of the organization. */
async function waysToGive(): Promise<[string, Send][]> {
  const [member, joining] = [await memberOf(), await memberOf()];
  const newcomer = await anyUserWith(service, admin);
  const [plain, below, holding] = [await groupOf(), await groupOf(), await groupOf({ role_ids: [auditor.id] })];
  const under = await groupOf({ parent_id: holding.id });
  const { body: invitation } = await invite(admin, home, { email: newEmail(), role_ids: [auditor.id] });
  const [domain, waiting] = [await domainWith({}), await domainWith({ role_ids: [auditor.id] })];
  const role_ids = [auditor.id];
  const there = within(home);
  const [group, lower] = [newName(), newName()].map((name) => ({ name, organization_id: home.id }));
  return [
    ['add a member', (as) => as.post(path('members'), { user_id: newcomer.id, role_ids })],
    ['change a member', (as) => as.patch(path(`members/${member.id}`), { role_ids })],
    ['create a group', (as) => as.post('/api/group', { ...group, role_ids }, there)],
    ['create below', (as) => as.post('/api/group', { ...lower, parent_id: holding.id }, there)],
    ['change a group', (as) => as.patch(`/api/group/${plain.id}`, { role_ids }, there)],
    ['move a group', (as) => as.patch(`/api/group/${below.id}`, { parent_id: holding.id }, there)],
    ['join', (as) => as.post(`/api/group/${holding.id}/users`, { user_ids: [joining.id] }, there)],
    ['join below', (as) => as.put(`/api/group/${under.id}/users`, { user_ids: [joining.id] }, there)],
    ['invite', (as) => as.post(path('invitations'), { email: newEmail(), role_ids })],
    ['invite again', (as) => as.post(path(`invitations/${invitation.id}/resend`))],
    ['set for a domain', (as) => as.patch(domain, { role_ids })],
    ['let a domain give it', (as) => as.patch(waiting, { members_join: true })],
  ];
}

const lackingOf = async ({ id }: UserWithGrants): Promise<unknown[]> => {
  const rows = await service.query<{ lacking: unknown }>(
    `SELECT after -> 'lacking' AS lacking FROM audit_event WHERE action = 'permission.escalate' AND actor_id = $1 ORDER BY id`,
    [id],
  );
  return rows.map(({ lacking }) => lacking);
};

/** A new one belongs to `waysToGive` if it gives roles in organizations. The last three need `role:update` everywhere, or give roles everywhere. */
const ROUTES_THAT_NAME_ROLES = [
  'POST /api/organization/{id}/members',
  'PATCH /api/organization/{id}/members/{user_id}',
  'POST /api/group',
  'PATCH /api/group/{id}',
  'POST /api/organization/{id}/invitations',
  'PATCH /api/organization/{id}/domains/{domain}',
  'POST /api/role/{id}/users',
  'POST /api/user/{id}/roles',
  'POST /api/user',
];

describe('a role of the service without permissions', () => {
  it('is tried by every route that gives named roles', async () => {
    const { paths, components } = (await service.client().get<Document>('/api/openapi.json')).body;
    const givesRoles = (route: string, { requestBody = {} }: { readonly requestBody?: object }): boolean => {
      const [, schema = ''] = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(requestBody)) ?? [];
      const fields = Object.keys(components.schemas[schema]?.properties ?? {});
      const isOfRole = route.startsWith('/api/role/{id}/');
      return fields.includes('role_ids') || (isOfRole && fields.includes('organization_id'));
    };
    const found = Object.entries(paths).flatMap(([route, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        givesRoles(route, operation) ? `${method.toUpperCase()} ${route}` : [],
      ),
    );
    expect(found.sort()).toEqual([...ROUTES_THAT_NAME_ROLES].sort());
  });

  it('is given in an organization only by holders of role:update everywhere, in every way', async () => {
    const ways = await waysToGive();
    const before = await given();
    for (const [way, send] of ways) {
      const { status, body } = await send(lead.client);
      expect([way, status, body.code]).toEqual([way, 403, 'escalation_denied']);
    }
    expect(await given()).toEqual(before);
    const lacking = await lackingOf(lead);
    expect(lacking).toHaveLength(ways.length);
    for (const one of lacking) expect(one).toMatchObject([{ scope: 'iam', permission_id: 'role:update' }]);
    for (const [way, send] of ways) {
      const { status } = await send(everywhere.client);
      expect([way, status < 300]).toEqual([way, true]);
    }
  });

  it('is no role to give for others, and roles of the organization without permissions are', async () => {
    const own = await createRoleOf(admin, home, 'clerk');
    const listedFor = async ({ client }: { client: TestClient }): Promise<string[]> => {
      const { body } = await client.get<{ items: { id: string }[] }>(path('roles?page_size=100'));
      return body.items.map(({ id }) => id);
    };
    expect(await listedFor(lead)).toEqual(expect.arrayContaining([own.id, planner.id]));
    expect(await listedFor(lead)).not.toContain(auditor.id);
    expect(await listedFor(everywhere)).toEqual(expect.arrayContaining([own.id, planner.id, auditor.id]));
    const member = await memberOf();
    const changed = await lead.client.patch(path(`members/${member.id}`), { role_ids: [own.id, planner.id] });
    expect(changed.status).toBe(200);
    const added = await lead.client.post(`/api/role/${own.id}/users`, { user_ids: [lead.id] }, within(home));
    expect(added.status).toBe(200);
  });

  it('is also one that grants no more than new users get', async () => {
    const [member, base] = [await memberOf(), await createRole(admin, 'base', 'plan:*')];
    const give = (as: TestClient): Promise<Answer<Problem>> =>
      as.patch<Problem>(path(`members/${member.id}`), { role_ids: [planner.id] });
    const asDefault = (value: string | null): Promise<Answer<Problem>> =>
      admin.put<Problem>('/api/setting', { updates: [{ key: 'register.default_role', value }] });
    expect((await asDefault(base.name)).status).toBe(200);
    try {
      expectProblem(await give(lead.client), 403, 'escalation_denied');
      const { body } = await lead.client.get<{ items: { id: string }[] }>(path('roles?page_size=100'));
      expect(body.items.map(({ id }) => id)).not.toContain(planner.id);
      expect((await give(everywhere.client)).status).toBe(200);
    } finally {
      expect((await asDefault(null)).status).toBe(200);
    }
    expect((await admin.patch(path(`members/${member.id}`), { role_ids: [] })).status).toBe(200);
    expect((await give(lead.client)).status).toBe(200);
  });

  it('may be kept and taken away, but not given again', async () => {
    const member = await memberOf(auditor);
    const change = (role_ids: string[]): Promise<Answer<Problem>> =>
      lead.client.patch<Problem>(path(`members/${member.id}`), { role_ids });
    expect((await change([auditor.id, planner.id])).status).toBe(200);
    expect((await change([planner.id])).status).toBe(200);
    expect(await rolesOf(member)).toEqual([planner.id]);
    expectProblem(await change([auditor.id]), 403, 'escalation_denied');
    const other = await memberOf(auditor);
    expect((await lead.client.delete(path(`members/${other.id}`))).status).toBe(204);
  });

  it('may be taken from groups and domains, and their members from it', async () => {
    const holding = await groupOf({ role_ids: [auditor.id] });
    const below = await groupOf({ parent_id: holding.id });
    await joinGroup(admin, holding.id, (await memberOf()).id, (await memberOf()).id);
    const domain = await domainWith({ role_ids: [auditor.id] });
    const there = within(home);
    const acts: [string, Send][] = [
      ['rename the group', (as) => as.patch(`/api/group/${holding.id}`, { name: newName() }, there)],
      ['add a role', (as) => as.patch(`/api/group/${holding.id}`, { role_ids: [auditor.id, planner.id] }, there)],
      ['remove the members', (as) => as.put(`/api/group/${holding.id}/users`, { user_ids: [] }, there)],
      ['move out', (as) => as.patch(`/api/group/${below.id}`, { parent_id: null }, there)],
      ['take from the group', (as) => as.patch(`/api/group/${holding.id}`, { role_ids: [] }, there)],
      ['add a role of the domain', (as) => as.patch(domain, { role_ids: [auditor.id, planner.id] })],
      ['take from the domain', (as) => as.patch(domain, { role_ids: [planner.id] })],
    ];
    for (const [act, send] of acts) {
      const { status } = await send(lead.client);
      expect([act, status]).toEqual([act, 200]);
    }
    expectProblem(await lead.client.patch(domain, { role_ids: [auditor.id] }), 403, 'escalation_denied');
  });

  it('is not left to a domain by which users join, whose rule the caller would answer for', async () => {
    const domain = await domainWith({ role_ids: [auditor.id], members_join: true });
    const role_ids = [auditor.id, planner.id];
    expectProblem(await lead.client.patch(domain, { role_ids }), 403, 'escalation_denied');
    expect((await lead.client.patch(domain, { role_ids, members_join: false })).status).toBe(200);
    expectProblem(await lead.client.patch(domain, { members_join: true }), 403, 'escalation_denied');
  });

  it('opens no invitation of an inviter who has lost role:update', async () => {
    const inviter = await anyUserWith(service, admin, 'invitation:create', 'role:update');
    const token = await invited(service, inviter.client, home, newEmail(), { role_ids: [auditor.id] });
    expect((await showInvitation<InvitationAnswer>(service, token)).status).toBe(200);
    await admin.patch(`/api/user/${inviter.id}/permissions`, { remove: ['role:update'] });
    await expectUnknown(service, token);
  });

  it('opens no invitation when it lost its permissions after it was sent', async () => {
    const inviter = await anyUserWith(service, admin, 'invitation:create', 'plan:read');
    const role = await createRole(admin, 'emptied', 'plan:read');
    const token = await invited(service, inviter.client, home, newEmail(), { role_ids: [role.id] });
    expect((await showInvitation<InvitationAnswer>(service, token)).status).toBe(200);
    expect((await admin.patch(`/api/role/${role.id}`, { remove: ['plan:read'] })).status).toBe(200);
    await expectUnknown(service, token);
  });

  it('is given by the routes that need role:update everywhere anyway', async () => {
    const member = await memberOf();
    const administrator = await anyUserWith(service, admin, 'user:admin', 'role:update');
    const body = { role_ids: [auditor.id], organization_id: home.id };
    expect((await administrator.client.post(`/api/user/${member.id}/roles`, body)).status).toBe(200);
    expect(await rolesOf(member)).toEqual([auditor.id]);
    for (const method of ['post', 'put'] as const) {
      const users = { user_ids: [member.id] };
      const answer = await lead.client[method]<Problem>(`/api/role/${auditor.id}/users`, users, within(home));
      expectProblem(answer, 404, 'not_found');
    }
    const other = await memberOf();
    const there = { user_ids: [other.id], organization_id: home.id };
    const users = `/api/role/${auditor.id}/users`;
    expectProblem(await lead.client.post<Problem>(users, there, within(home)), 404, 'not_found');
    expect((await administrator.client.post(users, there)).status).toBe(200);
    expect(await rolesOf(other)).toEqual([auditor.id]);
  });
});
