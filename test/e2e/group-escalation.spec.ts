import { expectProblem } from '../support/service/expect-problem';
import { createGroup, GroupAnswer, joinGroup, moveGroup } from '../support/accounts/groups';
import { createRole, UserWithGrants, userWith, RoleAnswer } from '../support/accounts/holders';
import { raceRounds } from '../support/service/race-rounds';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

type Send = (as: TestClient) => Promise<Answer<{ code?: string }>>;

const ROUNDS = raceRounds(30);

let service: TestService;
let admin: TestClient;
/** Holds every permission on groups, roles and users, and otherwise only `report:*` up to level 3. */
let clerk: UserWithGrants;
let below: UserWithGrants;
let above: UserWithGrants;
let weak: RoleAnswer;
let strong: RoleAnswer;
let weakGroup: GroupAnswer;
let strongGroup: GroupAnswer;
/** Has no role, but is below the strong group. */
let inheriting: GroupAnswer;
let plain: GroupAnswer;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  const grants = ['group:*', 'role:*', 'user:admin'].map((permission_id) => ({ permission_id, level: 7 }));
  clerk = await userWith(service, admin, 'clerk', ...grants, { permission_id: 'report:*', level: 3 });
  below = await userWith(service, admin, 'below', { permission_id: 'report:read', level: 1 });
  above = await userWith(service, admin, 'above');
  weak = await createRole(admin, 'weak', { permission_id: 'report:read', level: 1 });
  strong = await createRole(admin, 'strong', { permission_id: 'billing:read', level: 1 });
  weakGroup = await createGroup(admin, 'Weak', { role_ids: [weak.id] });
  strongGroup = await createGroup(admin, 'Strong', { role_ids: [strong.id] });
  inheriting = await createGroup(admin, 'Inheriting', { parent_id: strongGroup.id });
  plain = await createGroup(admin, 'Plain');
  await joinGroup(admin, inheriting.id, above.id);
});

const everything = async (): Promise<unknown> => ({
  groups: await service.query('SELECT id, name, parent_id, path FROM user_group ORDER BY id'),
  roles: await service.query('SELECT * FROM user_group_role ORDER BY group_id, role_id'),
  members: await service.query('SELECT * FROM user_group_member ORDER BY group_id, user_id'),
  accounts: await service.query('SELECT id, nickname FROM user_account ORDER BY id'),
});

describe('a caller who holds less than a group gives', () => {
  const acts: [string, Send][] = [
    ['creating a group with the role', (as) => as.post('/api/group', { name: 'New', role_ids: [weak.id, strong.id] })],
    ['creating a group below it', (as) => as.post('/api/group', { name: 'New', parent_id: strongGroup.id })],
    ['giving the role to a group', (as) => as.patch(`/api/group/${plain.id}`, { role_ids: [strong.id] })],
    ['taking the role from the group', (as) => as.patch(`/api/group/${strongGroup.id}`, { role_ids: [] })],
    ['renaming the group', (as) => as.patch(`/api/group/${strongGroup.id}`, { name: 'Stolen' })],
    ['describing a group below it', (as) => as.patch(`/api/group/${inheriting.id}`, { description: 'Mine' })],
    ['moving a group below it', (as) => moveGroup(as, weakGroup.id, strongGroup.id)],
    ['moving a group below a group below it', (as) => moveGroup(as, weakGroup.id, inheriting.id)],
    ['moving a group away from it', (as) => moveGroup(as, inheriting.id, null)],
    ['deleting a group below it', (as) => as.delete(`/api/group/${inheriting.id}`)],
    ['joining the group', (as) => as.post(`/api/group/${strongGroup.id}/users`, { user_ids: [clerk.id] })],
    ['joining a group below it', (as) => as.post(`/api/group/${inheriting.id}/users`, { user_ids: [clerk.id] })],
    ['adding another user', (as) => as.put(`/api/group/${inheriting.id}/users`, { user_ids: [above.id, below.id] })],
    ['emptying a group below it', (as) => as.put(`/api/group/${inheriting.id}/users`, { user_ids: [] })],
    ['removing a member', (as) => as.delete(`/api/group/${inheriting.id}/users/${above.id}`)],
    ['adding a member to another group', (as) => as.post(`/api/group/${plain.id}/users`, { user_ids: [above.id] })],
    ['changing a member', (as) => as.patch(`/api/user/${above.id}`, { nickname: 'Mine' })],
    [
      'setting the password of a member',
      (as) => as.put(`/api/user/${above.id}/password`, { new_password: 'x'.repeat(20) }),
    ],
    ['giving a member a role', (as) => as.post(`/api/user/${above.id}/roles`, { role_ids: [weak.id] })],
  ];

  it.each(acts)('is denied %s', async (_, send) => {
    const before = await everything();
    expectProblem(await send(clerk.client), 403, 'escalation_denied');
    expect(await everything()).toEqual(before);
  });

  it('is denied also with the permissions on groups alone, whatever the error would be', async () => {
    expectProblem(await moveGroup(clerk.client, strongGroup.id, inheriting.id), 403, 'escalation_denied');
    expectProblem(await clerk.client.delete(`/api/group/${strongGroup.id}`), 403, 'escalation_denied');
  });

  it('is audited with what is missing', async () => {
    await clerk.client.post(`/api/group/${strongGroup.id}/users`, { user_ids: [clerk.id] });
    const [event] = await service.query<{ after: object }>(
      `SELECT outcome, after FROM audit_event WHERE action = 'permission.escalate' AND target_id = $1 ORDER BY id DESC LIMIT 1`,
      [strongGroup.id],
    );
    expect(event).toMatchObject({
      outcome: 'failure',
      after: { lacking: [{ permission_id: 'billing:read', level: 1 }], lacking_count: 1 },
    });
  });

  it('may do the same where the caller holds all of it', async () => {
    const group = (await clerk.client.post<GroupAnswer>('/api/group', { name: 'Own', role_ids: [weak.id] })).body;
    expect((await moveGroup(clerk.client, group.id, weakGroup.id)).status).toBe(200);
    await joinGroup(clerk.client, group.id, below.id, clerk.id);
    expect((await clerk.client.put(`/api/group/${group.id}/users`, { user_ids: [] })).status).toBe(200);
    expect((await clerk.client.delete(`/api/group/${group.id}`)).status).toBe(204);
  });
});

describe('a permission held through a group', () => {
  it('covers what its holder gives to others', async () => {
    const giver = await userWith(service, admin, 'giver');
    const role = await createRole(admin, 'givers', 'group:update', 'user:admin', 'role:update', 'gift:read');
    const givers = await createGroup(admin, 'Givers', { role_ids: [role.id] });
    await joinGroup(admin, givers.id, giver.id);
    const receiver = await userWith(service, admin, 'receiver');
    await joinGroup(giver.client, givers.id, receiver.id);
    const add = [{ permission_id: 'gift:read' }];
    expect((await giver.client.patch(`/api/user/${receiver.id}/permissions`, { add })).status).toBe(200);
    await admin.put(`/api/group/${givers.id}/users`, { user_ids: [] });
    expectProblem(await giver.client.patch(`/api/user/${receiver.id}/permissions`, { add }), 403, 'permission_denied');
  });

  it('protects a holder of every permission from containing acts of others', async () => {
    const ruler = await userWith(service, admin, 'ruler');
    const role = await createRole(admin, 'everything', { scope: '*', permission_id: '*:*', level: 7 });
    const rulers = await createGroup(admin, 'Everything', { role_ids: [role.id] });
    await joinGroup(admin, rulers.id, ruler.id);
    expectProblem(await clerk.client.patch(`/api/user/${ruler.id}`, { status: 'disabled' }), 403, 'escalation_denied');
    expectProblem(await clerk.client.delete(`/api/user/${ruler.id}/sessions`), 403, 'escalation_denied');
  });
});

describe('concurrent changes', () => {
  it(`never make a circle or a tree that is too deep, in each of ${ROUNDS} rounds`, async () => {
    const make = async (name: string, parent_id: string | null = null): Promise<string> =>
      (await createGroup(admin, name, { parent_id })).id;
    for (let round = 0; round < ROUNDS; round++) {
      const tops = [await make(`Race ${round} a`), await make(`Race ${round} b`), await make(`Race ${round} c`)];
      const low = await Promise.all(tops.map((top, index) => make(`Race ${round} below ${index}`, top)));
      const leaves = await Promise.all(low.map((top, index) => make(`Race ${round} leaf ${index}`, top)));
      // Two of the moves fit together, the third would close a circle.
      const answers = await Promise.all(tops.map((top, index) => moveGroup(admin, top, leaves[(index + 1) % 3]!)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses.filter((status) => status === 409).length).toBeGreaterThan(0);
      const [depth] = await service.query<{ wrong: number }>(
        `SELECT count(*)::int AS wrong FROM user_group AS child LEFT JOIN user_group AS parent ON parent.id = child.parent_id
         WHERE child.path <> coalesce(parent.path, '{}') || child.id OR cardinality(child.path) > 6`,
      );
      expect(depth).toEqual({ wrong: 0 });
    }
  }, 120_000);

  it(`let no caller join a group while it becomes powerful, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const group = await createGroup(admin, `Growing ${round}`);
      const [joined, grown] = await Promise.all([
        clerk.client.post<Problem>(`/api/group/${group.id}/users`, { user_ids: [clerk.id] }),
        admin.patch(`/api/group/${group.id}`, { role_ids: [strong.id] }),
      ]);
      expect(grown.status).toBe(200);
      // Either the caller joined a group without power, which an administrator then gave to its member, or was denied.
      const [first] = await service.query<{ action: string }>(
        `SELECT action FROM audit_event WHERE target_id = $1 AND action IN ('group.add_users', 'group.update') ORDER BY id LIMIT 1`,
        [group.id],
      );
      expect([joined.status, first?.action]).toEqual(
        joined.status === 200 ? [200, 'group.add_users'] : [403, 'group.update'],
      );
      await admin.put(`/api/group/${group.id}/users`, { user_ids: [] });
    }
  }, 120_000);
});
