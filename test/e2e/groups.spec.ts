import { logInLongAgo } from '../support/accounts/accounts';
import { endOfFeed, eventsSince, readOn } from '../support/receivers/events';
import { expectProblem } from '../support/service/expect-problem';
import { createGroup, createTree, GroupAnswer, joinGroup, moveGroup } from '../support/accounts/groups';
import { createRole, UserWithGrants, userWith, systemRole } from '../support/accounts/holders';
import { staleFor } from '../support/service/staleness';
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
let people = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
});

const anyone = (): Promise<UserWithGrants> => userWith(service, admin, `someone_${people++}`);

const may = async ({ client }: UserWithGrants, permission: string): Promise<boolean> =>
  (await client.get(`/api/auth/verify?permission=${permission}`)).status === 204;

const audited = (action: string, id: string): Promise<object[]> =>
  service.query(
    'SELECT actor_name, target_label, before, after FROM audit_event WHERE action = $1 AND target_id = $2 ORDER BY id',
    [action, id],
  );

const problemsOf = ({ status, body }: Answer<Problem>): unknown => [
  status,
  (body.errors ?? []).map(({ field, code }) => `${field} ${code}`),
];

describe('a group', () => {
  it('is created, shown, changed and deleted, and audited each time', async () => {
    const role = await createRole(admin, 'crud_role', 'crud:read');
    const staff = await createGroup(admin, 'Crud staff', { description: 'All', role_ids: [role.id, role.id] });
    expect(staff).toEqual({
      id: staff.id,
      name: 'Crud staff',
      description: 'All',
      parent_id: null,
      path: ['Crud staff'],
      role_ids: [role.id],
      member_count: 0,
    });
    const team = await createGroup(admin, 'Crud team', { parent_id: staff.id });
    expect(team).toMatchObject({ parent_id: staff.id, path: ['Crud staff', 'Crud team'], role_ids: [] });
    expect((await admin.get<GroupAnswer>(`/api/group/${team.id}`)).body).toEqual(team);

    const changed = await admin.patch<GroupAnswer>(`/api/group/${staff.id}`, { name: 'Crud STAFF', description: null });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Crud STAFF', description: '', role_ids: [role.id] } });
    expect((await admin.patch(`/api/group/${staff.id}`, { name: 'Crud STAFF' })).status).toBe(200);
    expectProblem(await admin.delete(`/api/group/${staff.id}`), 409, 'in_use');
    for (const { id } of [team, staff]) expect((await admin.delete(`/api/group/${id}`)).status).toBe(204);
    expectProblem(await admin.get(`/api/group/${staff.id}`), 404, 'not_found');

    const before = { name: 'Crud staff', description: 'All', parent_id: null, role_ids: [role.id] };
    const after = { ...before, name: 'Crud STAFF', description: '' };
    const by = { actor_name: 'admin' };
    expect(await audited('group.create', staff.id)).toMatchObject([
      { ...by, target_label: 'Crud staff', after: before },
    ]);
    expect(await audited('group.update', staff.id)).toMatchObject([{ ...by, before, after }]);
    expect(await audited('group.delete', staff.id)).toMatchObject([{ ...by, before: { ...after, member_count: 0 } }]);
  });

  it('causes an event at each change, with the ids of its users and roles', async () => {
    const role = await createRole(admin, 'told_role');
    const [ann, bob] = [await anyone(), await anyone()];
    const start = await endOfFeed(service, admin);
    const { id } = await createGroup(admin, 'Told', { role_ids: [role.id] });
    await joinGroup(admin, id, ann.id);
    await admin.put(`/api/group/${id}/users`, { user_ids: [bob.id] });
    await admin.delete(`/api/group/${id}/users/${bob.id}`);
    await admin.patch(`/api/group/${id}`, { description: 'New' });
    await admin.delete(`/api/group/${id}`);
    await eventsSince(service, admin, start);
    const { items } = await readOn(admin, start, '&types=group.*');
    const told = items.filter(({ subject }) => subject?.id === id);
    expect(told.map(({ type, data }) => [type, data['role_ids'] ?? data['added_ids'] ?? data['removed_ids']])).toEqual([
      ['group.created', [role.id]],
      ['group.users_added', [ann.id]],
      ['group.users_added', [bob.id]],
      ['group.users_removed', [ann.id]],
      ['group.users_removed', [bob.id]],
      ['group.updated', [role.id]],
      ['group.deleted', undefined],
    ]);
    expect(told.map(({ data }) => data['fields'])).toContainEqual(['description']);
  });

  it.each<[string, object, string[]]>([
    ['no name', {}, ['name required']],
    ['an empty name', { name: '' }, ['name min_length']],
    ['a slash in the name', { name: 'a/b' }, ['name group_name']],
    ['a long name', { name: 'x'.repeat(101) }, ['name max_length']],
    ['a malformed parent', { name: 'x', parent_id: 'y' }, ['parent_id id']],
    ['a field of another entity', { name: 'x', member_count: 1 }, ['member_count unknown_field']],
    [
      'unknown ids',
      { name: 'x', role_ids: [UNKNOWN], parent_id: UNKNOWN },
      ['role_ids[0] unknown_role', 'parent_id unknown_group'],
    ],
  ])('is rejected with %s', async (_, body, problems) => {
    expect(problemsOf(await admin.post<Problem>('/api/group', body))).toEqual([400, problems]);
  });

  it('has a unique name, ignoring case', async () => {
    const [first, second] = [await createGroup(admin, 'Named'), await createGroup(admin, 'Named too')];
    expectProblem(await admin.post('/api/group', { name: 'NAMED' }), 409, 'name_taken');
    expectProblem(await admin.patch(`/api/group/${second.id}`, { name: 'named' }), 409, 'name_taken');
    expect((await admin.patch(`/api/group/${first.id}`, { name: 'named' })).status).toBe(200);
    await createGroup(admin, 'Équipe 研发');
    for (const name of ['équipe 研发', 'équｉｐｅ 研发']) {
      expectProblem(await admin.post('/api/group', { name }), 409, 'name_taken');
    }
  });

  it('gets no system role, so that the last administrator never depends on a group', async () => {
    const group = await createGroup(admin, 'Rulers');
    for (const name of ['admin', 'user'] as const) {
      const role_ids = [(await systemRole(admin, name)).id];
      expectProblem(await admin.post('/api/group', { name: 'Other rulers', role_ids }), 403, 'system_role_protected');
      expectProblem(await admin.patch(`/api/group/${group.id}`, { role_ids }), 403, 'system_role_protected');
    }
  });

  it('is found by name, parent and role, in the order of names', async () => {
    const role = await createRole(admin, 'found_role');
    const top = await createGroup(admin, 'found b', { role_ids: [role.id] });
    const [below, other] = [
      await createGroup(admin, 'Found C', { parent_id: top.id }),
      await createGroup(admin, 'found A'),
    ];
    const list = async (query: string): Promise<[string[], number]> => {
      const { body } = await admin.get<GroupPage>(`/api/group?${query}`);
      return [body.items.map(({ name }) => name), body.total];
    };
    expect(await list('keyword=FOUND&page_size=2')).toEqual([[other.name, top.name], 3]);
    expect(await list('keyword=found&page_size=2&page=2')).toEqual([[below.name], 3]);
    expect(await list('keyword=100%25')).toEqual([[], 0]);
    await createGroup(admin, 'Élan');
    expect(await list('keyword=%C3%A9LA')).toEqual([['Élan'], 1]);
    expect(await list(`parent_id=${top.id}`)).toEqual([[below.name], 1]);
    expect(await list(`role_id=${role.id}`)).toEqual([[top.name], 1]);
  });
});

describe('the tree of groups', () => {
  it('has at most six levels, wherever a group is created or moved', async () => {
    const names = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'].map((name) => `Deep ${name}`);
    const deep = await createTree(admin, ...names);
    expect(deep[5]!.path).toEqual(names);
    expectProblem(await admin.post('/api/group', { name: 'Deep d7', parent_id: deep[5]!.id }), 409, 'group_depth');
    const [pair] = await createTree(admin, 'Pair top', 'Pair below');
    expectProblem(await moveGroup(admin, pair!.id, deep[4]!.id), 409, 'group_depth');
    expect((await moveGroup(admin, pair!.id, deep[3]!.id)).status).toBe(200);
  });

  it('has no circle', async () => {
    const [top, middle, bottom] = await createTree(admin, 'Ring 1', 'Ring 2', 'Ring 3');
    for (const { id } of [top!, middle!, bottom!]) {
      expectProblem(await moveGroup(admin, top!.id, id), 409, 'group_circle');
    }
  });

  it('moves a group with those below it', async () => {
    const [top, middle, bottom] = await createTree(admin, 'Move 1', 'Move 2', 'Move 3');
    const other = await createGroup(admin, 'Move elsewhere');
    const pathOf = async (id: string): Promise<string[]> =>
      (await admin.get<GroupAnswer>(`/api/group/${id}`)).body.path;
    await moveGroup(admin, middle!.id, other.id);
    expect(await pathOf(bottom!.id)).toEqual(['Move elsewhere', 'Move 2', 'Move 3']);
    await moveGroup(admin, middle!.id, null);
    expect(await pathOf(bottom!.id)).toEqual(['Move 2', 'Move 3']);
    await moveGroup(admin, top!.id, bottom!.id);
    expect(await pathOf(top!.id)).toEqual(['Move 2', 'Move 3', 'Move 1']);
  });
});

describe('a role that requires a second factor', () => {
  it('leaves the path of a group only after a recent login', async () => {
    const { body: role } = await admin.post<{ id: string }>('/api/role', { name: 'kept_strict', mfa_required: true });
    const mild = await createRole(admin, 'kept_mild');
    const [top, middle] = await createTree(admin, 'Strict 1', 'Strict 2');
    const elsewhere = await createGroup(admin, 'Strict elsewhere');
    for (const { id } of [top!, elsewhere]) await admin.patch(`/api/group/${id}`, { role_ids: [role.id, mild.id] });
    const strong = await userWith(service, admin, 'group_easer', '*');
    const stale = await logInLongAgo(service, strong.username);
    const isRejected = (answer: Answer<Problem>): void => {
      expectProblem(answer, 401, 'reauthentication_required');
    };
    isRejected(await stale.patch<Problem>(`/api/group/${top!.id}`, { role_ids: [mild.id] }));
    isRejected(await moveGroup(stale, middle!.id, null));
    isRejected(await stale.delete<Problem>(`/api/group/${middle!.id}`));
    isRejected(await stale.delete<Problem>(`/api/group/${elsewhere.id}`));
    expect((await stale.patch(`/api/group/${top!.id}`, { role_ids: [role.id], description: 'Same' })).status).toBe(200);
    expect((await moveGroup(stale, middle!.id, elsewhere.id)).status).toBe(200);
    const recent = await service.logIn(strong.username);
    expect((await recent.patch(`/api/group/${top!.id}`, { role_ids: [mild.id] })).status).toBe(200);
    expect((await moveGroup(recent, middle!.id, null)).status).toBe(200);
    expect((await recent.delete(`/api/group/${elsewhere.id}`)).status).toBe(204);
    expect((await stale.patch(`/api/group/${top!.id}`, { role_ids: [] })).status).toBe(200);
    expect((await stale.delete(`/api/group/${top!.id}`)).status).toBe(204);
  });
});

describe('a member of a group', () => {
  it('holds the roles of the group and of those above it, and no other, from each change on', async () => {
    const [upper, own, lower, strict] = [
      await createRole(admin, 'upper', 'upper:read'),
      await createRole(admin, 'own', 'own:read'),
      await createRole(admin, 'lower', 'lower:read'),
      (await admin.post<{ id: string }>('/api/role', { name: 'strict', mfa_required: true })).body,
    ];
    const [top, middle, bottom] = await createTree(admin, 'Hold 1', 'Hold 2', 'Hold 3');
    for (const [group, role] of [
      [top, upper],
      [middle, own],
      [bottom, lower],
    ] as const) {
      await admin.patch(`/api/group/${group!.id}`, { role_ids: [role.id] });
    }
    const ann = await anyone();
    const held = async (): Promise<boolean[]> => [
      await may(ann, 'upper:read'),
      await may(ann, 'own:read'),
      await may(ann, 'lower:read'),
    ];
    expect(await held()).toEqual([false, false, false]);
    await joinGroup(admin, middle!.id, ann.id);
    expect(await held()).toEqual([true, true, false]);
    await moveGroup(admin, middle!.id, null);
    expect(await held()).toEqual([false, true, false]);
    await moveGroup(admin, middle!.id, top!.id);
    expect(await held()).toEqual([true, true, false]);
    await admin.patch(`/api/group/${top!.id}`, { role_ids: [] });
    expect(await held()).toEqual([false, true, false]);
    await admin.patch(`/api/role/${own.id}`, { permissions: [] });
    expect(await held()).toEqual([false, false, false]);
    await admin.patch(`/api/group/${top!.id}`, { role_ids: [upper.id, strict.id] });
    expectProblem(await ann.client.get('/api/auth/sessions'), 403, 'mfa_enrolment_required');
    await admin.delete(`/api/role/${strict.id}`);
    expect(await held()).toEqual([true, false, false]);
    await admin.delete(`/api/group/${middle!.id}/users/${ann.id}`);
    expect(await held()).toEqual([false, false, false]);
    await joinGroup(admin, bottom!.id, ann.id);
    expect(await held()).toEqual([true, false, true]);
    await admin.delete(`/api/group/${bottom!.id}`);
    expect(await held()).toEqual([false, false, false]);
  });

  it('gains and loses permissions on another instance within a second', async () => {
    const other = await service.another();
    const role = await createRole(admin, 'distant', 'distant:read');
    const [top, bottom] = await createTree(admin, 'Distant 1', 'Distant 2');
    const ann = await anyone();
    await joinGroup(admin, bottom!.id, ann.id);
    const there = await other.logIn(ann.username);
    const mayThere = async (): Promise<boolean> =>
      (await there.get('/api/auth/verify?permission=distant:read')).status === 204;
    const staleAfter = async (change: Promise<unknown>, allowed: boolean): Promise<number> => {
      await change;
      return staleFor(async () => (await mayThere()) === allowed);
    };
    expect(await mayThere()).toBe(false);
    expect(await staleAfter(admin.patch(`/api/group/${top!.id}`, { role_ids: [role.id] }), true)).toBeLessThan(1_000);
    expect(await staleAfter(moveGroup(admin, bottom!.id, null), false)).toBeLessThan(1_000);
    expect(await staleAfter(moveGroup(admin, bottom!.id, top!.id), true)).toBeLessThan(1_000);
    expect(await staleAfter(admin.put(`/api/group/${bottom!.id}/users`, { user_ids: [] }), false)).toBeLessThan(1_000);
  });

  it('sees in a check which group on which path gives the role', async () => {
    const role = await createRole(admin, 'explained', 'explained:read');
    const [top, bottom] = await createTree(admin, 'Explain 1', 'Explain 2');
    await admin.patch(`/api/group/${top!.id}`, { role_ids: [role.id] });
    const ann = await anyone();
    await joinGroup(admin, bottom!.id, ann.id);
    const checks = [{ permission_id: 'explained:read' }];
    const grant = { scope: 'iam', permission_id: 'explained:read', level: 7 };
    const check = async (): Promise<unknown> =>
      (await ann.client.post<{ results: { because: unknown }[] }>('/api/permission/check', { checks })).body.results[0]!
        .because;
    const group = { name: 'Explain 1', path: ['Explain 1', 'Explain 2'] };
    expect(await check()).toEqual({ source: 'group', role: 'explained', group, grant });
    const effective = async (): Promise<object[]> =>
      (await admin.get<{ effective: object[] }>(`/api/user/${ann.id}/permissions`)).body.effective;
    expect(await effective()).toContainEqual({ ...grant, from: ['explained'], groups: ['Explain 1'] });
    await admin.post(`/api/user/${ann.id}/roles`, { role_ids: [role.id] });
    expect(await check()).toEqual({ source: 'role', role: 'explained', grant });
    await admin.patch(`/api/user/${ann.id}/permissions`, { add: [grant] });
    expect(await check()).toEqual({ source: 'direct', grant });
    expect(await effective()).toContainEqual({ ...grant, from: ['direct', 'explained'], groups: ['Explain 1'] });
  });

  it('leaves the group when the account is deleted', async () => {
    const group = await createGroup(admin, 'Leaving');
    const ann = await anyone();
    await joinGroup(admin, group.id, ann.id);
    expect((await admin.delete(`/api/user/${ann.id}`)).status).toBe(204);
    expect((await admin.get<GroupAnswer>(`/api/group/${group.id}`)).body.member_count).toBe(0);
  });
});
