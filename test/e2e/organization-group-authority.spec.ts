import { expectProblem } from '../support/service/expect-problem';
import { createGroup, GroupAnswer, joinGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { Answer, Problem, SendOptions, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

type Send = (as: TestClient, options: SendOptions) => Promise<Answer<Problem>>;

let service: TestService;
let admin: TestClient;
let [home, away]: OrganizationAnswer[] = [];
/** Manages the groups of `home`, and otherwise holds `plan:read` there. */
let lead: UserWithGrants;
let plans: RoleAnswer;
let bills: RoleAnswer;
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  [home, away] = [await createOrganization(admin, 'home'), await createOrganization(admin, 'away')];
  const leads = await createRole(admin, 'group_lead', 'group:*', 'organization_member:read');
  plans = await createRole(admin, 'planner', 'plan:read');
  bills = await createRole(admin, 'biller', 'bill:read');
  lead = await memberOf(home, leads, plans);
});

async function memberOf(organization: OrganizationAnswer, ...roles: RoleAnswer[]): Promise<UserWithGrants> {
  const member = await anyUserWith(service, admin);
  await addMember(admin, organization, member, ...roles);
  return member;
}

const newName = (): string => `Led group ${made++}`;
const groupOf = ({ id }: OrganizationAnswer, more: object = {}): Promise<GroupAnswer> =>
  createGroup(admin, newName(), { organization_id: id, ...more });
const usersOf = ({ id }: GroupAnswer): string => `/api/group/${id}/users`;

const stored = async (): Promise<unknown> => ({
  groups: await service.query('SELECT id, name, description, parent_id, path FROM user_group ORDER BY id'),
  roles: await service.query('SELECT * FROM user_group_role ORDER BY group_id, role_id'),
  members: await service.query('SELECT * FROM user_group_member ORDER BY group_id, user_id'),
});

/** Every act on a group that exists. */
const actsOn = (group: GroupAnswer, userId: string): [string, Send][] => [
  ['show', (as, there) => as.get(`/api/group/${group.id}`, there)],
  ['rename', (as, there) => as.patch(`/api/group/${group.id}`, { name: newName() }, there)],
  ['list members', (as, there) => as.get(usersOf(group), there)],
  ['list members by cursor', (as, there) => as.get(`${usersOf(group)}?cursor=`, there)],
  ['add a member', (as, there) => as.post(usersOf(group), { user_ids: [userId] }, there)],
  ['replace the members', (as, there) => as.put(usersOf(group), { user_ids: [userId] }, there)],
  ['remove a member', (as, there) => as.delete(`${usersOf(group)}/${userId}`, there)],
  ['delete', (as, there) => as.delete(`/api/group/${group.id}`, there)],
];

describe('an administrator of the groups of one organization', () => {
  it('sees who is in a group only with the permission to see members', async () => {
    const [group, member] = [await groupOf(home!), await memberOf(home!)];
    await joinGroup(admin, group.id, member.id);
    const reader = await memberOf(home!, await createRole(admin, 'group_reader', 'group:read'));
    const everywhere = await anyUserWith(service, admin, 'group:read');
    await addMember(admin, home!, everywhere, await createRole(admin, 'member_reader', 'organization_member:read'));
    for (const query of ['', '?cursor=']) {
      const path = `${usersOf(group)}${query}`;
      expectProblem(await reader.client.get<Problem>(path, within(home!)), 403, 'permission_denied');
      expectProblem(await everywhere.client.get<Problem>(path), 403, 'permission_denied');
      for (const { client } of [lead, everywhere]) {
        const listed = await client.get<{ items: { id: string }[] }>(path, within(home!));
        expect(listed.body.items.map(({ id }) => id)).toEqual([member.id]);
      }
    }
    expect((await reader.client.get(`/api/group/${group.id}`, within(home!))).status).toBe(200);
    expect((await everywhere.client.get(usersOf(await createGroup(admin, newName())))).status).toBe(200);
  });

  it('manages them by naming the organization', async () => {
    const organization_id = home!.id;
    const there = within(home!);
    const member = await memberOf(home!);
    const body = { organization_id, role_ids: [plans.id] };
    const group = await createGroup(lead.client, newName(), body, there);
    for (const [act, send] of actsOn(group, member.id)) {
      expect([act, (await send(lead.client, there)).status < 300]).toEqual([act, true]);
    }
    const other = await createGroup(lead.client, newName(), { organization_id }, there);
    const list = await lead.client.get<{ items: GroupAnswer[] }>(
      `/api/group?organization_id=${organization_id}`,
      there,
    );
    expect(list.body.items.map(({ id }) => id)).toContain(other.id);
  });

  it('holds nothing without naming it', async () => {
    const group = await groupOf(home!);
    for (const [, send] of actsOn(group, lead.id)) expectProblem(await send(lead.client, {}), 403, 'permission_denied');
    for (const query of ['', `?organization_id=${home!.id}`]) {
      expectProblem(await lead.client.get(`/api/group${query}`), 403, 'permission_denied');
    }
    const body = { name: newName(), organization_id: home!.id };
    expectProblem(await lead.client.post('/api/group', body), 403, 'permission_denied');
  });

  it('finds no group of another organization or of the service', async () => {
    const stranger = await memberOf(away!);
    const [there, anywhere] = [await groupOf(away!), await createGroup(admin, newName())];
    for (const { id } of [there, anywhere]) await joinGroup(admin, id, stranger.id);
    const before = await stored();
    for (const group of [there, anywhere]) {
      for (const userId of [stranger.id, lead.id]) {
        for (const [act, send] of actsOn(group, userId)) {
          const { status, body } = await send(lead.client, within(home!));
          expect([act, status, body.code]).toEqual([act, 404, 'not_found']);
        }
      }
    }
    expect(await stored()).toEqual(before);
    expectProblem(await lead.client.get(`/api/group?organization_id=${away!.id}`, within(home!)), 404, 'not_found');
    expectProblem(await lead.client.get('/api/group', within(home!)), 403, 'permission_denied');
    const body = { name: newName(), organization_id: away!.id };
    expectProblem(await lead.client.post('/api/group', body, within(home!)), 404, 'not_found');
  });

  it('makes no group of the service by leaving out what the header names', async () => {
    const before = await stored();
    expectProblem(await lead.client.post('/api/group', { name: newName() }, within(home!)), 403, 'permission_denied');
    expect(await stored()).toEqual(before);
  });

  it('gives no more than they hold there', async () => {
    const [plain, strong] = [await groupOf(home!), await groupOf(home!, { role_ids: [bills.id] })];
    const below = await groupOf(home!, { parent_id: strong.id });
    const [member, biller] = [await memberOf(home!), await memberOf(home!, bills)];
    await joinGroup(admin, below.id, member.id);
    // What the administrator holds in another organization does not count.
    await addMember(admin, away!, lead, bills);
    const create =
      (more: object): Send =>
      (as, there) =>
        as.post<Problem>('/api/group', { name: newName(), organization_id: home!.id, ...more }, there);
    const acts: [string, Send][] = [
      ['create with the role', create({ role_ids: [bills.id] })],
      ['create below the role', create({ parent_id: strong.id })],
      ['give the role', (as, there) => as.patch(`/api/group/${plain.id}`, { role_ids: [bills.id] }, there)],
      ['take the role', (as, there) => as.patch(`/api/group/${strong.id}`, { role_ids: [] }, there)],
      ['move below the role', (as, there) => as.patch(`/api/group/${plain.id}`, { parent_id: strong.id }, there)],
      ['join', (as, there) => as.post(usersOf(below), { user_ids: [lead.id] }, there)],
      ['remove', (as, there) => as.delete(`${usersOf(below)}/${member.id}`, there)],
      ['delete', (as, there) => as.delete(`/api/group/${below.id}`, there)],
      ['add one who holds more', (as, there) => as.post(usersOf(plain), { user_ids: [biller.id] }, there)],
    ];
    const before = await stored();
    for (const [act, send] of acts) {
      const { status, body } = await send(lead.client, within(home!));
      expect([act, status, body.code]).toEqual([act, 403, 'escalation_denied']);
    }
    expect(await stored()).toEqual(before);
  });

  it('adds a member whatever that member holds elsewhere', async () => {
    const [group, member] = [await groupOf(home!), await memberOf(home!)];
    await addMember(admin, away!, member, bills);
    await admin.patch(`/api/user/${member.id}/permissions`, { add: [{ permission_id: 'user:admin' }] });
    const added = await lead.client.post(usersOf(group), { user_ids: [member.id] }, within(home!));
    expect(added).toMatchObject({ status: 200, body: { added: 1 } });
    expect((await lead.client.delete(`${usersOf(group)}/${member.id}`, within(home!))).status).toBe(204);
  });
});

describe('an administrator of groups everywhere', () => {
  it('manages the groups of every organization without naming one in the header', async () => {
    const everywhere = await anyUserWith(service, admin, 'group:*', 'organization_member:read', 'plan:read');
    const [group, member] = [await groupOf(home!, { role_ids: [plans.id] }), await memberOf(home!)];
    const list = await everywhere.client.get<{ total: number }>(`/api/group?organization_id=${home!.id}`);
    expect(list.body.total).toBeGreaterThan(0);
    for (const [act, send] of actsOn(group, member.id)) {
      expect([act, (await send(everywhere.client, {})).status < 300]).toEqual([act, true]);
    }
  });
});
