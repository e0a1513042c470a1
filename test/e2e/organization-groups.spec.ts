import { endOfFeed, eventsSince, readOn } from '../support/receivers/events';
import { expectProblem } from '../support/service/expect-problem';
import { createGroup, GroupAnswer, joinGroup, moveGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface GroupPage {
  items: GroupAnswer[];
  total: number;
}

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';

let service: TestService;
let admin: TestClient;
let [home, away]: OrganizationAnswer[] = [];
let role: RoleAnswer;
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  [home, away] = [await createOrganization(admin, 'home'), await createOrganization(admin, 'away')];
  role = await createRole(admin, 'planner', 'plan:read');
});

const newName = (): string => `Group ${made++}`;
const groupOf = ({ id }: OrganizationAnswer, more: object = {}): Promise<GroupAnswer> =>
  createGroup(admin, newName(), { organization_id: id, ...more });

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

const memberIds = async (groupId: string): Promise<string[]> => {
  const { body } = await admin.get<{ items: { id: string }[] }>(`/api/group/${groupId}/users`);
  return body.items.map(({ id }) => id);
};

const mayPlan = async ({ id }: Pick<UserWithGrants, 'id'>, organization_id?: string): Promise<boolean> => {
  const checks = [{ permission_id: 'plan:read', ...(organization_id !== undefined && { organization_id }) }];
  return (await admin.post<{ allowed: boolean }>('/api/permission/check', { user_id: id, checks })).body.allowed;
};

describe('a group of an organization', () => {
  it('is created, shown, changed and deleted as one of it, and audited each time', async () => {
    const start = await endOfFeed(service, admin);
    const organization_id = home!.id;
    const group = await createGroup(admin, 'Planners', { organization_id, role_ids: [role.id] });
    expect(group).toMatchObject({ organization_id, parent_id: null, path: ['Planners'], role_ids: [role.id] });
    const path = `/api/group/${group.id}`;
    expect((await admin.get(path)).body).toEqual(group);
    const changed = await admin.patch<GroupAnswer>(path, { name: 'All planners' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'All planners', organization_id } });
    expect((await admin.delete(path)).status).toBe(204);
    const content = { name: 'Planners', organization_id, role_ids: [role.id] };
    expect(await audited('group.create', group.id)).toMatchObject([{ after: content }]);
    expect(await audited('group.update', group.id)).toMatchObject([{ before: content, after: { organization_id } }]);
    expect(await audited('group.delete', group.id)).toMatchObject([{ before: { organization_id } }]);
    await eventsSince(service, admin, start);
    const { items } = await readOn(admin, start, '&types=group.*');
    const caused = items.filter(({ subject }) => subject?.id === group.id);
    expect(caused.map(({ type, data }) => [type, data['organization_id']])).toEqual([
      ['group.created', organization_id],
      ['group.updated', organization_id],
      ['group.deleted', undefined],
    ]);
  });

  it('is listed with those of its organization only, and never with those of the service', async () => {
    const [here, there, anywhere] = [
      await createGroup(admin, 'Listed a', { organization_id: home!.id, role_ids: [role.id] }),
      await createGroup(admin, 'Listed b', { organization_id: away!.id, role_ids: [role.id] }),
      await createGroup(admin, 'Listed c', { role_ids: [role.id] }),
    ];
    const below = await createGroup(admin, 'Listed d', { organization_id: home!.id, parent_id: here.id });
    const list = async (query: string): Promise<[string[], number]> => {
      const { body } = await admin.get<GroupPage>(`/api/group?keyword=listed${query}`);
      return [body.items.map(({ id }) => id), body.total];
    };
    expect(await list(`&organization_id=${home!.id}`)).toEqual([[here.id, below.id], 2]);
    expect(await list(`&organization_id=${away!.id}`)).toEqual([[there.id], 1]);
    expect(await list('')).toEqual([[anywhere.id], 1]);
    expect(await list(`&role_id=${role.id}`)).toEqual([[anywhere.id], 1]);
    expect(await list(`&organization_id=${home!.id}&role_id=${role.id}`)).toEqual([[here.id], 1]);
    expect(await list(`&organization_id=${away!.id}&parent_id=${here.id}`)).toEqual([[], 0]);
  });

  it('stays in its organization', async () => {
    const [group, ofService] = [await groupOf(home!), await createGroup(admin, newName())];
    const change = (id: string, organization_id: string | null): Promise<Answer<Problem>> =>
      admin.patch<Problem>(`/api/group/${id}`, { organization_id });
    for (const other of [away!.id, UNKNOWN, null]) {
      expect(problemsOf(await change(group.id, other))).toEqual([400, ['organization_id immutable']]);
    }
    expect(problemsOf(await change(ofService.id, home!.id))).toEqual([400, ['organization_id immutable']]);
    expect((await change(group.id, home!.id)).status).toBe(200);
    expect((await change(ofService.id, null)).status).toBe(200);
  });

  it('has a name that is unique there, ignoring case', async () => {
    const places = [home!.id, away!.id, undefined].map((id) => (id === undefined ? {} : { organization_id: id }));
    for (const place of places) {
      const first = await createGroup(admin, 'Twice', place);
      const other = await createGroup(admin, newName(), place);
      expectProblem(await admin.post('/api/group', { name: 'TWICE', ...place }), 409, 'name_taken');
      expectProblem(await admin.patch(`/api/group/${other.id}`, { name: 'twice' }), 409, 'name_taken');
      expect((await admin.patch(`/api/group/${first.id}`, { name: 'twice' })).status).toBe(200);
      const copy = service.query(
        `INSERT INTO user_group (id, name, name_key, organization_id, path)
         SELECT $2::uuid, name, name_key, organization_id, ARRAY[$2::uuid] FROM user_group WHERE id = $1`,
        [first.id, UNKNOWN],
      );
      await expect(copy).rejects.toThrow(/user_group_(?:organization_)?name_unique/);
    }
  });

  it('has a group of the same organization above it; others look unknown', async () => {
    const [here, there, anywhere] = [await groupOf(home!), await groupOf(away!), await createGroup(admin, newName())];
    const pairs: [GroupAnswer, string][] = [
      [here, there.id],
      [here, anywhere.id],
      [here, UNKNOWN],
      [anywhere, here.id],
    ];
    for (const [{ id, organization_id }, parent_id] of pairs) {
      const body = { name: newName(), parent_id, ...(organization_id !== undefined && { organization_id }) };
      expect(problemsOf(await admin.post<Problem>('/api/group', body))).toEqual([400, ['parent_id unknown_group']]);
      expect(problemsOf(await moveGroup(admin, id, parent_id))).toEqual([400, ['parent_id unknown_group']]);
    }
    const below = await groupOf(home!, { parent_id: here.id });
    expect(below.path).toEqual([here.name, below.name]);
  });

  it('accepts members of the organization only; others look unknown', async () => {
    const group = await groupOf(home!);
    const [member, stranger] = [await memberOf(home!, away!), await memberOf(away!)];
    for (const id of [stranger.id, UNKNOWN]) {
      for (const method of ['post', 'put'] as const) {
        const answer = await admin[method]<Problem>(`/api/group/${group.id}/users`, { user_ids: [member.id, id] });
        expect(problemsOf(answer)).toEqual([400, ['user_ids[1] unknown_user']]);
      }
    }
    expect(await memberIds(group.id)).toEqual([]);
    await joinGroup(admin, group.id, member.id);
    expect(await memberIds(group.id)).toEqual([member.id]);
    expect(await audited('group.add_users', group.id)).toMatchObject([
      { after: { organization_id: home!.id, added_ids: [member.id] } },
    ]);
  });

  it('gives its members its roles there, which a check explains', async () => {
    const above = await groupOf(home!, { role_ids: [role.id] });
    const group = await groupOf(home!, { parent_id: above.id });
    const member = await memberOf(home!, away!);
    await joinGroup(admin, group.id, member.id);
    expect([await mayPlan(member, home!.id), await mayPlan(member, away!.id), await mayPlan(member)]).toEqual([
      true,
      false,
      false,
    ]);
    const checks = [{ permission_id: 'plan:read', organization_id: home!.id }];
    const { body } = await member.client.post<{ results: object[] }>('/api/permission/check', { checks });
    expect(body.results).toMatchObject([
      {
        because: {
          source: 'group',
          role: 'planner',
          group: { name: above.name, path: [above.name, group.name] },
          organization: { id: home!.id, slug: 'home', name: 'home' },
        },
      },
    ]);
  });

  it('loses a member who is removed from the organization, for good and audited', async () => {
    const [one, two, other] = [
      await groupOf(home!, { role_ids: [role.id] }),
      await groupOf(home!),
      await groupOf(away!, { role_ids: [role.id] }),
    ];
    const ofService = await createGroup(admin, newName());
    const [member, staying] = [await memberOf(home!, away!), await memberOf(home!)];
    for (const { id } of [one, two]) await joinGroup(admin, id, member.id, staying.id);
    for (const { id } of [other, ofService]) await joinGroup(admin, id, member.id);
    const path = `/api/organization/${home!.id}/members`;
    expect((await admin.delete(`${path}/${member.id}`)).status).toBe(204);
    for (const { id } of [one, two]) {
      expect(await memberIds(id)).toEqual([staying.id]);
      const after = { organization_id: home!.id, removed: 1, removed_ids: [member.id] };
      expect(await audited('group.remove_users', id)).toEqual([{ before: null, after }]);
    }
    for (const { id } of [other, ofService]) expect(await memberIds(id)).toEqual([member.id]);
    await addMember(admin, home!, member);
    expect([await mayPlan(member, home!.id), await mayPlan(member, away!.id)]).toEqual([false, true]);
  });

  it('is deleted with the organization, also with groups below it', async () => {
    const organization = await createOrganization(admin, `gone-${made++}`);
    const above = await groupOf(organization, { role_ids: [role.id] });
    const below = await groupOf(organization, { parent_id: above.id });
    const kept = await groupOf(home!);
    const member = await memberOf(organization);
    await joinGroup(admin, below.id, member.id);
    expect(await mayPlan(member, organization.id)).toBe(true);
    expect((await admin.delete(`/api/organization/${organization.id}`)).status).toBe(204);
    for (const { id } of [above, below]) expectProblem(await admin.get(`/api/group/${id}`), 404, 'not_found');
    expect((await admin.get(`/api/group/${kept.id}`)).status).toBe(200);
    expect(await mayPlan(member, organization.id)).toBe(false);
    expect(await audited('organization.delete', organization.id)).toMatchObject([
      { before: { member_count: 1, group_count: 2 } },
    ]);
  });

  it('is named in the audit entry of a role that is deleted', async () => {
    const gone = await createRole(admin, 'gone_planner', 'plan:read');
    const group = await groupOf(home!, { role_ids: [gone.id] });
    expect((await admin.delete(`/api/role/${gone.id}`)).status).toBe(204);
    expect(await audited('role.delete', gone.id)).toMatchObject([
      { before: { group_count: 1, group_ids: [group.id] } },
    ]);
  });

  it('is of an organization that exists', async () => {
    const unknown = await admin.post('/api/group', { name: newName(), organization_id: UNKNOWN });
    expectProblem(unknown, 404, 'not_found');
    expectProblem(await admin.get(`/api/group?organization_id=${UNKNOWN}`), 404, 'not_found');
    expectProblem(await admin.get('/api/group?organization_id=home'), 400, 'validation_failed');
    expectProblem(await admin.get('/api/group', within({ id: UNKNOWN })), 404, 'not_found');
  });
});
