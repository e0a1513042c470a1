import { endOfFeed, eventsSince, readOn } from '../support/receivers/events';
import { expectProblem } from '../support/service/expect-problem';
import { createGroup, joinGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import { createRoleOf, OrganizationRoleAnswer } from '../support/organizations/organization-roles';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface RolePage {
  items: OrganizationRoleAnswer[];
  total: number;
}

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';

let service: TestService;
let admin: TestClient;
let [home, away]: OrganizationAnswer[] = [];
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  [home, away] = [await createOrganization(admin, 'home'), await createOrganization(admin, 'away')];
});

const newName = (): string => `role_${made++}`;
const roleOf = (organization: OrganizationAnswer, ...permissions: string[]): Promise<OrganizationRoleAnswer> =>
  createRoleOf(admin, organization, newName(), permissions);

async function memberOf(...organizations: OrganizationAnswer[]): Promise<UserWithGrants> {
  const member = await anyUserWith(service, admin);
  for (const organization of organizations) await addMember(admin, organization, member);
  return member;
}

const audited = (action: string, id: string): Promise<{ before: object | null; after: object | null }[]> =>
  service.query('SELECT before, after FROM audit_event WHERE action = $1 AND target_id = $2 ORDER BY id', [action, id]);

const problemsOf = ({ status, body }: Answer<Problem>): unknown => [
  status,
  (body.errors ?? []).map(({ field, code }) => `${field} ${code}`),
];

const usersOf = ({ id }: RoleAnswer): string => `/api/role/${id}/users`;

const userIds = async (role: RoleAnswer): Promise<string[]> => {
  const { body } = await admin.get<{ items: { id: string }[] }>(usersOf(role));
  return body.items.map(({ id }) => id).sort();
};

const memberRoles = async ({ id }: OrganizationAnswer, userId: string): Promise<string[]> =>
  (await admin.get<{ role_ids: string[] }>(`/api/organization/${id}/members/${userId}`)).body.role_ids;

const holds = async (
  { id }: Pick<UserWithGrants, 'id'>,
  permission: string,
  organization_id?: string,
): Promise<boolean> => {
  const checks = [{ permission_id: permission, ...(organization_id !== undefined && { organization_id }) }];
  return (await admin.post<{ allowed: boolean }>('/api/permission/check', { user_id: id, checks })).body.allowed;
};

describe('a role of an organization', () => {
  it('is created, shown, changed and deleted as one of it, with audit entries and events that name it', async () => {
    const start = await endOfFeed(service, admin);
    const organization_id = home!.id;
    const role = await createRoleOf(admin, home!, 'planner', ['plan:read']);
    expect(role).toMatchObject({ organization_id, name: 'planner', is_system: false, user_count: 0 });
    const path = `/api/role/${role.id}`;
    expect((await admin.get(path)).body).toEqual(role);
    const changed = await admin.patch<OrganizationRoleAnswer>(path, {
      name: 'lead_planner',
      add: [{ permission_id: 'plan:update' }],
    });
    expect(changed).toMatchObject({ status: 200, body: { name: 'lead_planner', organization_id } });
    expect(changed.body.permissions).toHaveLength(2);
    expect((await admin.delete(path)).status).toBe(204);
    expectProblem(await admin.get(path), 404, 'not_found');
    const content = { name: 'planner', organization_id };
    expect(await audited('role.create', role.id)).toMatchObject([{ after: content }]);
    expect(await audited('role.update', role.id)).toMatchObject([{ before: content, after: { organization_id } }]);
    expect(await audited('role.delete', role.id)).toMatchObject([{ before: { organization_id } }]);
    await eventsSince(service, admin, start);
    const { items } = await readOn(admin, start, '&types=role.*');
    const caused = items.filter(({ subject }) => subject?.id === role.id);
    expect(caused.map(({ type, data }) => [type, data['organization_id']])).toEqual([
      ['role.created', organization_id],
      ['role.updated', organization_id],
      ['role.deleted', organization_id],
    ]);
  });

  it('is listed with those of its organization only, and never with those of the service', async () => {
    const [here, there] = [await createRoleOf(admin, home!, 'listed_a'), await createRoleOf(admin, away!, 'listed_b')];
    const anywhere = await createRole(admin, 'listed_c');
    const list = async (query: string): Promise<[string[], number]> => {
      const { body } = await admin.get<RolePage>(`/api/role?keyword=listed${query}`);
      return [body.items.map(({ id }) => id), body.total];
    };
    expect(await list(`&organization_id=${home!.id}`)).toEqual([[here.id], 1]);
    expect(await list(`&organization_id=${away!.id}`)).toEqual([[there.id], 1]);
    expect(await list('')).toEqual([[anywhere.id], 1]);
    expect(await list('&scope=iam')).toEqual([[anywhere.id], 1]);
    expect(await list(`&organization_id=${home!.id}&scope=other`)).toEqual([[], 0]);
  });

  it('stays in its organization', async () => {
    const [role, ofService] = [await roleOf(home!), await createRole(admin, newName())];
    const change = (id: string, organization_id: string | null): Promise<Answer<Problem>> =>
      admin.patch<Problem>(`/api/role/${id}`, { organization_id });
    for (const other of [away!.id, UNKNOWN, null]) {
      expect(problemsOf(await change(role.id, other))).toEqual([400, ['organization_id immutable']]);
    }
    expect(problemsOf(await change(ofService.id, home!.id))).toEqual([400, ['organization_id immutable']]);
    expect((await change(role.id, home!.id)).status).toBe(200);
    expect((await change(ofService.id, null)).status).toBe(200);
  });

  it('has a name that is unique there, and none of the reserved ones', async () => {
    for (const place of [{ organization_id: home!.id }, { organization_id: away!.id }, {}]) {
      expect((await admin.post('/api/role', { name: 'twice', ...place })).status).toBe(201);
      const other = await admin.post<RoleAnswer>('/api/role', { name: newName(), ...place });
      expectProblem(await admin.post('/api/role', { name: 'twice', ...place }), 409, 'name_taken');
      expectProblem(await admin.patch(`/api/role/${other.body.id}`, { name: 'twice' }), 409, 'name_taken');
      for (const name of ['admin', 'User', 'direct']) {
        expectProblem(await admin.post('/api/role', { name, ...place }), 409, 'name_taken');
      }
      const copy = service.query(
        `INSERT INTO role (id, scope, name, organization_id, of_service)
         SELECT $2, scope, $3, organization_id, of_service FROM role WHERE id = $1`,
        [other.body.id, UNKNOWN, 'organization_id' in place ? 'organization/twice' : 'twice'],
      );
      await expect(copy).rejects.toThrow(/role_name_unique/);
    }
  });

  it('is created once by requests for the same name at the same time', async () => {
    const body = { name: 'at_once', organization_id: home!.id };
    const answers = await Promise.all([1, 2, 3, 4].map(() => admin.post('/api/role', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('is one of at most 1,000 there, also if several are created at the same time', async () => {
    const organization = await createOrganization(admin, 'crowded');
    await service.query(
      `INSERT INTO role (id, scope, name, organization_id, of_service)
       SELECT gen_random_uuid(), 'iam', 'organization/crowd' || n, $1, false FROM generate_series(1, 998) AS n`,
      [organization.id],
    );
    const create = (name: string): Promise<Answer<Problem & RoleAnswer>> =>
      admin.post('/api/role', { name, organization_id: organization.id });
    const answers = await Promise.all(['ca', 'cb', 'cc', 'cd', 'ce'].map(create));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    for (const answer of answers.filter(({ status }) => status === 409)) expectProblem(answer, 409, 'too_many_roles');
    const [added] = answers.filter(({ status }) => status === 201);
    expect((await admin.patch(`/api/role/${added!.body.id}`, { name: 'renamed' })).status).toBe(200);
    expect((await admin.delete(`/api/role/${added!.body.id}`)).status).toBe(204);
    expect((await create('cf')).status).toBe(201);
    expectProblem(await create('cg'), 409, 'too_many_roles');
    await createRoleOf(admin, home!, newName());
    await createRole(admin, newName());
  });

  it('gives its permissions to members there only, which a check explains', async () => {
    const role = await roleOf(home!, 'plan:read');
    const member = await memberOf(home!, away!);
    expect((await admin.post(usersOf(role), { user_ids: [member.id] })).body).toEqual({ added: 1 });
    expect(await memberRoles(home!, member.id)).toEqual([role.id]);
    const places = [home!.id, away!.id, undefined];
    expect(await Promise.all(places.map((id) => holds(member, 'plan:read', id)))).toEqual([true, false, false]);
    const checks = [{ permission_id: 'plan:read', organization_id: home!.id }];
    const { body } = await member.client.post<{ results: object[] }>('/api/permission/check', { checks });
    expect(body.results).toMatchObject([
      { because: { source: 'role', role: `organization/${role.name}`, organization: { id: home!.id, slug: 'home' } } },
    ]);
  });

  it('is in force at once after each change', async () => {
    const role = await roleOf(home!);
    const member = await memberOf(home!);
    await addMember(admin, home!, member, role);
    const mayRead = async (): Promise<boolean> =>
      (await member.client.get(`/api/role?organization_id=${home!.id}`, within(home!))).status === 200;
    expect(await mayRead()).toBe(false);
    await admin.patch(`/api/role/${role.id}`, { add: [{ permission_id: 'role:read' }] });
    expect(await mayRead()).toBe(true);
    await admin.delete(`${usersOf(role)}/${member.id}`);
    expect(await mayRead()).toBe(false);
    await admin.put(usersOf(role), { user_ids: [member.id] });
    expect(await mayRead()).toBe(true);
    await admin.delete(`/api/role/${role.id}`);
    expect(await mayRead()).toBe(false);
    expect(await memberRoles(home!, member.id)).toEqual([]);
  });

  it('accepts members of the organization only; others look unknown', async () => {
    const role = await roleOf(home!);
    const [member, stranger] = [await memberOf(home!, away!), await memberOf(away!)];
    for (const id of [stranger.id, UNKNOWN]) {
      for (const method of ['post', 'put'] as const) {
        const answer = await admin[method]<Problem>(usersOf(role), { user_ids: [member.id, id] });
        expect(problemsOf(answer)).toEqual([400, ['user_ids[1] unknown_user']]);
      }
    }
    expect(await userIds(role)).toEqual([]);
    const second = await memberOf(home!);
    const replaced = await admin.put(usersOf(role), { user_ids: [member.id, second.id] });
    expect(replaced.body).toEqual({ added: 2, removed: 0, total: 2 });
    expect(await userIds(role)).toEqual([member.id, second.id].sort());
    expect((await admin.get<RoleAnswer>(`/api/role/${role.id}`)).body.user_count).toBe(2);
    expect(await audited('role.replace_users', role.id)).toMatchObject([
      { after: { organization_id: home!.id, user_count: 2, added: 2 } },
    ]);
  });

  it('loses a member who is removed from the organization', async () => {
    const role = await roleOf(home!);
    const member = await memberOf(home!);
    await addMember(admin, home!, member, role);
    expect(await userIds(role)).toEqual([member.id]);
    expect((await admin.delete(`/api/organization/${home!.id}/members/${member.id}`)).status).toBe(204);
    expect(await userIds(role)).toEqual([]);
  });

  it('is never given to a member who is removed at the same time', async () => {
    const role = await roleOf(home!);
    for (let round = 0; round < 5; round++) {
      const member = await memberOf(home!);
      const [given, removed] = await Promise.all([
        admin.post(usersOf(role), { user_ids: [member.id] }),
        admin.delete(`/api/organization/${home!.id}/members/${member.id}`),
      ]);
      expect([200, 400]).toContain(given.status);
      expect(removed.status).toBe(204);
      expect(await userIds(role)).toEqual([]);
    }
  });

  it('is given by groups, invitations and domains of the organization', async () => {
    const role = await roleOf(home!, 'plan:read');
    const member = await memberOf(home!);
    const group = await createGroup(admin, newName(), { organization_id: home!.id, role_ids: [role.id] });
    await joinGroup(admin, group.id, member.id);
    expect(await holds(member, 'plan:read', home!.id)).toBe(true);
    const invitation = { email: `${newName()}@guest.example`, role_ids: [role.id] };
    expect((await admin.post(`/api/organization/${home!.id}/invitations`, invitation)).status).toBe(201);
    const listed = await admin.get<{ total: number }>(`/api/group?organization_id=${home!.id}&role_id=${role.id}`);
    expect(listed.body.total).toBe(1);
    expect((await admin.delete(`/api/role/${role.id}`)).status).toBe(204);
    expect(await holds(member, 'plan:read', home!.id)).toBe(false);
    expect(await audited('role.delete', role.id)).toMatchObject([
      { before: { organization_id: home!.id, group_count: 1, group_ids: [group.id] } },
    ]);
  });

  it('requires a second factor there only', async () => {
    const { body: strict } = await admin.post<RoleAnswer>('/api/role', {
      name: newName(),
      organization_id: home!.id,
      mfa_required: true,
    });
    const member = await memberOf(home!, away!);
    await addMember(admin, home!, member, strict);
    expectProblem(await member.client.get(`/api/organization/${home!.id}`), 403, 'mfa_enrolment_required');
    expect((await member.client.get(`/api/organization/${away!.id}`)).status).toBe(200);
    expect((await member.client.get('/api/auth/sessions')).status).toBe(200);
  });

  it('is deleted with the organization, and needs cover of what it grants', async () => {
    const organization = await createOrganization(admin, `gone-${made++}`);
    const role = await roleOf(organization, 'bill:read');
    const deleter = await anyUserWith(service, admin);
    await addMember(admin, organization, deleter, await createRole(admin, newName(), 'organization:delete'));
    const path = `/api/organization/${organization.id}`;
    expectProblem(await deleter.client.delete(path), 403, 'escalation_denied');
    expect((await admin.delete(path)).status).toBe(204);
    expectProblem(await admin.get(`/api/role/${role.id}`), 404, 'not_found');
    expect(await audited('organization.delete', organization.id)).toMatchObject([
      { before: { member_count: 1, role_count: 1 } },
    ]);
  });

  it('is of an organization that exists', async () => {
    expectProblem(await admin.post('/api/role', { name: newName(), organization_id: UNKNOWN }), 404, 'not_found');
    expectProblem(await admin.get(`/api/role?organization_id=${UNKNOWN}`), 404, 'not_found');
    expectProblem(await admin.get('/api/role?organization_id=home'), 400, 'validation_failed');
    expectProblem(await admin.get('/api/role', within({ id: UNKNOWN })), 404, 'not_found');
  });
});
