import { expectProblem } from '../support/service/expect-problem';
import { createGroup, joinGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants } from '../support/accounts/holders';
import { createRoleOf, OrganizationRoleAnswer } from '../support/organizations/organization-roles';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

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

const problemsOf = ({ status, body }: Answer<Problem>): unknown => [
  status,
  (body.errors ?? []).map(({ field, code }) => `${field} ${code}`),
];

const holds = async ({ id }: UserWithGrants, permission: string, organization_id?: string): Promise<boolean> => {
  const checks = [{ permission_id: permission, ...(organization_id !== undefined && { organization_id }) }];
  return (await admin.post<{ allowed: boolean }>('/api/permission/check', { user_id: id, checks })).body.allowed;
};

describe('outside of its organization, a role', () => {
  it('holds nowhere else, even if it is stored for another place', async () => {
    const role = await roleOf(home!, 'plan:stray');
    const stranger = await memberOf(away!);
    const group = await createGroup(admin, newName());
    await joinGroup(admin, group.id, stranger.id);
    // The constraints of the database would refuse it.
    await service.query('SET session_replication_role = replica');
    await service.query('INSERT INTO user_role (user_id, role_id) VALUES ($1, $2)', [stranger.id, role.id]);
    await service.query('INSERT INTO user_group_role (group_id, role_id) VALUES ($1, $2)', [group.id, role.id]);
    await service.query(
      'INSERT INTO organization_member_role (organization_id, user_id, role_id) VALUES ($1, $2, $3)',
      [away!.id, stranger.id, role.id],
    );
    await service.query('RESET session_replication_role');
    const places = [home!.id, away!.id, undefined];
    expect(await Promise.all(places.map((id) => holds(stranger, 'plan:stray', id)))).toEqual([false, false, false]);
    for (const header of [{}, within(away!)]) {
      expectProblem(
        await stranger.client.get('/api/auth/verify?permission=plan:stray', header),
        403,
        'permission_denied',
      );
    }
    expect((await admin.get<{ items: object[] }>(`/api/user/${stranger.id}/roles`)).text).not.toContain(role.id);
  });

  it('is refused everywhere else, by the field that names it', async () => {
    const role = await roleOf(home!);
    const member = await memberOf(home!, away!);
    const outside = await createGroup(admin, newName());
    const elsewhere = await createGroup(admin, newName(), { organization_id: away!.id });
    const client = { name: 'App', redirect_uris: ['https://app.example/callback'] };
    const access = { mode: 'restricted', role_ids: [role.id], user_ids: [] };
    const role_ids = [role.id];
    const acts: [string, Promise<Answer<Problem>>][] = [
      ['role_ids[0]', admin.post(`/api/user/${member.id}/roles`, { role_ids })],
      ['role_ids[0]', admin.post('/api/user', { username: newName(), password: 'correct horse battery', role_ids })],
      ['role_ids[0]', admin.patch(`/api/group/${outside.id}`, { role_ids })],
      ['role_ids[0]', admin.patch(`/api/group/${elsewhere.id}`, { role_ids })],
      ['role_ids[0]', admin.post('/api/group', { name: newName(), organization_id: away!.id, role_ids })],
      ['role_ids[0]', admin.patch(`/api/organization/${away!.id}/members/${member.id}`, { role_ids })],
      ['role_ids[0]', admin.post(`/api/organization/${away!.id}/members`, { user_id: member.id, role_ids })],
      ['role_ids[0]', admin.post(`/api/organization/${away!.id}/invitations`, { email: 'a@b.example', role_ids })],
      ['access.role_ids[0]', admin.post('/api/oauth/client', { ...client, access })],
      ['access.role_ids[0]', admin.post('/api/oauth/client', { ...client, access, organization_id: home!.id })],
    ];
    for (const [field, act] of acts) {
      expect(problemsOf(await act)).toEqual([400, [`${field} unknown_role`]]);
    }
    const setting = await admin.put<Problem>('/api/setting', {
      updates: [{ key: 'register.default_role', value: role.name }],
    });
    expect(problemsOf(setting)).toEqual([400, ['updates[0].value default_role']]);
    expectProblem(await admin.delete(`/api/user/${member.id}/roles/${role.id}`), 404, 'not_found');
  });

  it('with the name of the default role neither becomes nor renames it', async () => {
    const [{ id }, added] = [
      await createRoleOf(admin, home!, 'newcomer', ['plan:read']),
      await createRole(admin, 'newcomer'),
    ];
    const set = await admin.put('/api/setting', { updates: [{ key: 'register.default_role', value: 'newcomer' }] });
    expect(set.status).toBe(200);
    const person = await anyUserWith(service, admin);
    const { body } = await admin.get<{ items: { id: string }[] }>(`/api/user/${person.id}/roles`);
    expect(body.items.map((role) => role.id)).toEqual([added.id]);
    expect((await admin.patch(`/api/role/${id}`, { name: 'renamed_newcomer' })).status).toBe(200);
    expect((await admin.delete(`/api/role/${id}`)).status).toBe(204);
    const setting = await admin.get<{ items: object[] }>('/api/setting?category=register');
    const kept = { key: 'register.default_role', value: 'newcomer' };
    expect(setting.body.items).toContainEqual(expect.objectContaining(kept));
    await admin.put('/api/setting', { updates: [{ key: 'register.default_role', value: null }] });
  });
});
