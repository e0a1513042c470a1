import { AsyncResource } from 'node:async_hooks';
import { Transactions } from '../../src/platform/database';
import { OrganizationMembershipsService } from '../../src/rbac/organizations';
import { eventually } from '../support/service/eventually';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer, systemRole } from '../support/accounts/holders';
import {
  addMember,
  createOrganization,
  OrganizationAnswer,
  OrganizationMemberAnswer,
} from '../support/organizations/organizations';
import { itOnServer, SOMEBODY_WAITS } from '../support/service/on-server';
import { raceRounds } from '../support/service/race-rounds';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface MemberPage {
  items: OrganizationMemberAnswer[];
  total: number;
  next_cursor: string | null;
}

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';

let service: TestService;
let admin: TestClient;
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
});

const anyone = (): Promise<UserWithGrants> => anyUserWith(service, admin);
const newOrganization = (): Promise<OrganizationAnswer> => createOrganization(admin, `members-${made++}`);
const newRole = (...permissions: string[]): Promise<RoleAnswer> =>
  createRole(admin, `members_role_${made++}`, ...permissions);

const membersOf = async (client: TestClient, { id }: OrganizationAnswer, query = ''): Promise<MemberPage> =>
  (await client.get<MemberPage>(`/api/organization/${id}/members${query}`)).body;

const audited = (action: string, id: string): Promise<{ before: object | null; after: object }[]> =>
  service.query('SELECT before, after FROM audit_event WHERE action = $1 AND target_id = $2 ORDER BY id', [action, id]);

const problemsOf = ({ status, body }: Answer<Problem>): unknown => [
  status,
  (body.errors ?? []).map(({ field, code }) => `${field} ${code}`),
];

describe('members of an organization', () => {
  it('are added, changed and removed, and audited each time', async () => {
    const organization = await newOrganization();
    const [one, two] = [await newRole('report:read'), await newRole('report:update')];
    const { id } = await anyone();
    const path = `/api/organization/${organization.id}/members`;
    const added = await admin.post<OrganizationMemberAnswer>(path, { user_id: id, role_ids: [one.id, one.id] });
    expect(added).toMatchObject({ status: 201, body: { id, role_ids: [one.id] } });
    expect((await admin.post(path, { user_id: id })).body).toEqual(added.body);
    expect((await admin.get(`${path}/${id}`)).body).toEqual({ ...added.body, set_up: [] });

    const both = [one.id, two.id].sort();
    const changed = await admin.post<OrganizationMemberAnswer>(path, { user_id: id, role_ids: [two.id] });
    expect(changed.body.role_ids).toEqual(both);
    expect((await admin.patch(`${path}/${id}`, { role_ids: [two.id] })).body).toEqual({
      ...added.body,
      role_ids: [two.id],
    });
    expect((await membersOf(admin, organization)).items).toEqual([{ ...added.body, role_ids: [two.id] }]);
    expect((await admin.delete(`${path}/${id}`)).status).toBe(204);
    expectProblem(await admin.delete(`${path}/${id}`), 404, 'not_found');
    expectProblem(await admin.get(`${path}/${id}`), 404, 'not_found');
    expectProblem(await admin.patch(`${path}/${id}`, { role_ids: [] }), 404, 'not_found');
    expect(await membersOf(admin, organization)).toMatchObject({ items: [], total: 0 });

    expect(await audited('organization.add_members', organization.id)).toEqual([
      { before: null, after: { added: 1, added_ids: [id], role_ids: [one.id] } },
    ]);
    expect(await audited('organization.update_member', organization.id)).toEqual([
      { before: { role_ids: [one.id] }, after: { user_id: id, role_ids: both } },
      { before: { role_ids: both }, after: { user_id: id, role_ids: [two.id] } },
    ]);
    expect(await audited('organization.remove_members', organization.id)).toEqual([
      { before: { role_ids: [two.id] }, after: { removed: 1, removed_ids: [id] } },
    ]);
  });

  it('are listed by username, by page and by cursor', async () => {
    const organization = await newOrganization();
    const people = [await anyone(), await anyone(), await anyone()];
    for (const person of people) await addMember(admin, organization, person);
    const names = people.map(({ username }) => username).sort();
    const first = await membersOf(admin, organization, '?page_size=2');
    expect(first).toMatchObject({ total: 3, items: [{ username: names[0] }, { username: names[1] }] });
    const begun = await membersOf(admin, organization, '?cursor=&page_size=2');
    const rest = await membersOf(admin, organization, `?cursor=${begun.next_cursor}&page_size=2`);
    expect(rest).toMatchObject({ items: [{ username: names[2] }], next_cursor: null });
  });

  it('must be users, and get roles that exist and are not system roles', async () => {
    const organization = await newOrganization();
    const { id } = await anyone();
    const path = `/api/organization/${organization.id}/members`;
    const post = (body: object): Promise<Answer<Problem>> => admin.post<Problem>(path, body);
    expect(problemsOf(await post({ user_id: UNKNOWN }))).toEqual([400, ['user_id unknown_user']]);
    expect(problemsOf(await post({ user_id: id, role_ids: [UNKNOWN] }))).toEqual([400, ['role_ids[0] unknown_role']]);
    expect(problemsOf(await post({}))).toEqual([400, ['user_id required']]);
    const role_ids = [(await systemRole(admin, 'admin')).id];
    expectProblem(await post({ user_id: id, role_ids }), 403, 'system_role_protected');
    expectProblem(await admin.post(`/api/organization/${UNKNOWN}/members`, { user_id: id }), 404, 'not_found');
    expect((await membersOf(admin, organization)).total).toBe(0);
  });

  it('see the organization and themselves, and nothing else', async () => {
    const organization = await newOrganization();
    const [member, other, stranger] = [await anyone(), await anyone(), await anyone()];
    for (const person of [member, other]) await addMember(admin, organization, person);
    const path = `/api/organization/${organization.id}/members`;
    expect(await membersOf(member.client, organization)).toMatchObject({ items: [{ id: member.id }], total: 1 });
    expect(await membersOf(member.client, organization, '?cursor=')).toMatchObject({
      items: [{ id: member.id }],
      next_cursor: null,
    });
    expect((await member.client.get(`${path}/${member.id}`)).status).toBe(200);
    expectProblem(await member.client.get(`${path}/${other.id}`), 403, 'permission_denied');
    expectProblem(await member.client.post(path, { user_id: stranger.id }), 403, 'permission_denied');
    expectProblem(await member.client.delete(`${path}/${other.id}`), 403, 'permission_denied');
    for (const user of [member, stranger]) {
      expectProblem(await stranger.client.get(`${path}/${user.id}`), 404, 'not_found');
    }
    expectProblem(await stranger.client.get(path), 404, 'not_found');
  });

  it('are managed by an administrator of the organization, who sees nothing beyond', async () => {
    const [home, away] = [await newOrganization(), await newOrganization()];
    const manage = await newRole('organization_member:read', 'organization_member:update', 'report:read');
    const [less, more] = [await newRole('report:read'), await newRole('report:admin')];
    const [boss, worker, chief] = [await anyone(), await anyone(), await anyone()];
    await addMember(admin, home, boss, manage);
    await addMember(admin, home, chief, more);
    await addMember(admin, away, worker, less);
    const path = `/api/organization/${home.id}/members`;
    await addMember(boss.client, home, worker, less);
    expect((await membersOf(boss.client, home)).total).toBe(3);
    // The boss sees the roles there only.
    expect((await boss.client.get<OrganizationMemberAnswer>(`${path}/${worker.id}`)).body.role_ids).toEqual([less.id]);

    const change = (id: string, ...roles: RoleAnswer[]): Promise<Answer<Problem>> =>
      boss.client.patch<Problem>(`${path}/${id}`, { role_ids: roles.map((role) => role.id) });
    expect((await change(worker.id, manage)).status).toBe(200);
    for (const id of [worker.id, boss.id]) expectProblem(await change(id, more), 403, 'escalation_denied');
    expectProblem(await change(chief.id), 403, 'escalation_denied');
    expectProblem(await boss.client.delete(`${path}/${chief.id}`), 403, 'escalation_denied');
    expect((await boss.client.delete(`${path}/${worker.id}`)).status).toBe(204);

    const elsewhere = `/api/organization/${away.id}/members`;
    expectProblem(await boss.client.get(elsewhere), 404, 'not_found');
    expectProblem(await boss.client.post(elsewhere, { user_id: boss.id }), 404, 'not_found');
    expectProblem(await boss.client.delete(`${elsewhere}/${worker.id}`), 404, 'not_found');
    for (const route of ['/api/user', '/api/role', '/api/group', `/api/user/${worker.id}`]) {
      expectProblem(await boss.client.get(route), 403, 'permission_denied');
    }
    // Global grants of members do not matter.
    const strong = await anyUserWith(service, admin, '*:*');
    await addMember(boss.client, home, strong, less);
    expect((await boss.client.delete(`${path}/${strong.id}`)).status).toBe(204);
  });

  it('are lost with the user, the role or the organization', async () => {
    const organization = await newOrganization();
    const role = await newRole('report:read');
    const [one, two] = [await anyone(), await anyone()];
    for (const person of [one, two]) await addMember(admin, organization, person, role);
    expect((await admin.delete(`/api/role/${role.id}`)).status).toBe(204);
    expect((await membersOf(admin, organization)).items.map(({ role_ids }) => role_ids)).toEqual([[], []]);
    expect((await admin.delete(`/api/user/${one.id}`)).status).toBe(204);
    expect(await membersOf(admin, organization)).toMatchObject({ items: [{ id: two.id }], total: 1 });
    expect((await admin.delete(`/api/organization/${organization.id}`)).status).toBe(204);
    expect(
      await service.query('SELECT 1 FROM organization_member WHERE organization_id = $1', [organization.id]),
    ).toEqual([]);
  });
});

describe('changes at the same time', () => {
  it('add the same user once, with all roles', async () => {
    const organization = await newOrganization();
    const roles = [await newRole('report:read'), await newRole('report:update'), await newRole('report:delete')];
    const { id } = await anyone();
    const path = `/api/organization/${organization.id}/members`;
    const answers = await Promise.all(roles.map((role) => admin.post(path, { user_id: id, role_ids: [role.id] })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [member] = (await membersOf(admin, organization)).items;
    expect(member?.role_ids).toEqual(roles.map((role) => role.id).sort());
    expect(await audited('organization.add_members', organization.id)).toHaveLength(1);
  });

  itOnServer('admit no user whose removal is not committed yet', async () => {
    const organization = await newOrganization();
    const { id, username } = await anyone();
    await addMember(admin, organization, { id });
    const memberships = service.app.get(OrganizationMembershipsService, { strict: false });
    const joining = { actor: { id, username }, reason: 'domain' };
    // Bound to a context outside of the transaction that removes the user.
    const admit = AsyncResource.bind(() => memberships.admit(organization.id, id, [], joining));
    const admitting = await service.app.get(Transactions).run(async () => {
      await memberships.remove(organization.id, id);
      const pending = admit();
      await eventually(
        () => service.query(SOMEBODY_WAITS),
        (rows) => rows.length > 0,
      );
      return { pending };
    });
    expect(await admitting.pending).toBe(false);
    expect((await membersOf(admin, organization)).items).toEqual([]);
  });

  it('add a member, and delete the organization, the role or the user', async () => {
    for (let round = 0; round < raceRounds(6); round++) {
      const organization = await newOrganization();
      const role = await newRole('report:read');
      const { id } = await anyone();
      const gone = [`/api/organization/${organization.id}`, `/api/role/${role.id}`, `/api/user/${id}`][round % 3] ?? '';
      const [added, deleted] = await Promise.all([
        admin.post(`/api/organization/${organization.id}/members`, { user_id: id, role_ids: [role.id] }),
        admin.delete(gone),
      ]);
      expect(deleted.status).toBe(204);
      expect([201, 400, 404]).toContain(added.status);
    }
  });
});
