import { createUser } from '../support/accounts/admin-users';
import { expectProblem } from '../support/service/expect-problem';
import { createGroup, joinGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { actOn, IMPERSONATING, UserAct } from '../support/accounts/user-acts';
import { withService } from '../support/service/with-service';

describe('what a user holds in an organization', () => {
  let service: TestService;
  let admin: TestClient;
  let [home, away]: OrganizationAnswer[] = [];
  let owner: RoleAnswer;
  let made = 0;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    [home, away] = [await createOrganization(admin, 'home'), await createOrganization(admin, 'away')];
    owner = await createRole(admin, 'organization_owner', 'organization:update', 'organization_member:update');
  });

  const anyone = (...grants: string[]): Promise<UserWithGrants> => anyUserWith(service, admin, ...grants);
  const rename = (by: UserWithGrants, { id }: Pick<UserWithGrants, 'id'>): Promise<Answer<Problem>> =>
    actOn(by.client, id, ['rename', 'PATCH', '', { nickname: 'New' }]);

  const ownerOf = async (organization: OrganizationAnswer): Promise<UserWithGrants> => {
    const holder = await anyone();
    await addMember(admin, organization, holder, owner);
    return holder;
  };

  it.each(IMPERSONATING.map((act) => [act[0], act] as const))(
    'keeps a user administrator without it from an act: %s the user',
    async (_, act) => {
      const helper = await anyone('user:admin');
      const { id } = await createUser(admin, `olga_${made++}`, { email: `olga_${made}@example.com` });
      await addMember(admin, home!, { id }, owner);
      expectProblem(await actOn(helper.client, id, act), 403, 'escalation_denied');
    },
  );

  it('lets a user administrator without it end access', async () => {
    const [helper, olga] = [await anyone('user:admin'), await ownerOf(home!)];
    const acts: UserAct[] = [
      ['end the sessions of', 'DELETE', '/sessions'],
      ['disable', 'PATCH', '', { status: 'disabled' }],
    ];
    for (const act of acts) expect((await actOn(helper.client, olga.id, act)).status).toBeLessThan(300);
  });

  it('is covered by what the actor holds everywhere or in the same organization, not in another one', async () => {
    const [helper, olga] = [await anyone('user:admin'), await ownerOf(home!)];
    await addMember(admin, away!, helper, owner);
    expectProblem(await rename(helper, olga), 403, 'escalation_denied');
    await addMember(admin, home!, helper, owner);
    expect((await rename(helper, olga)).status).toBe(200);
    const strong = await anyone('user:admin', 'organization:update', 'organization_member:update');
    expect((await rename(strong, olga)).status).toBe(200);
    // Each of several organizations counts alone.
    const other = await createOrganization(admin, 'other');
    await addMember(admin, other, olga, owner);
    expectProblem(await rename(helper, olga), 403, 'escalation_denied');
    expect((await rename(strong, olga)).status).toBe(200);
  });

  it('does not cover what the user holds everywhere', async () => {
    const [helper, olga] = [await anyone('user:admin'), await anyone('organization:update')];
    await addMember(admin, home!, helper, owner);
    await addMember(admin, home!, olga);
    expectProblem(await rename(helper, olga), 403, 'escalation_denied');
  });

  it('counts when it comes from a direct grant or a group there', async () => {
    const [helper, direct, joined] = [await anyone('user:admin'), await anyone(), await anyone()];
    for (const member of [direct, joined]) await addMember(admin, home!, member);
    await service.query(
      `INSERT INTO organization_member_grant (organization_id, user_id, scope, permission_id, level)
       VALUES ($1, $2, 'billing', 'invoice:read', 1)`,
      [home!.id, direct.id],
    );
    const group = await createGroup(admin, 'Owners', { role_ids: [owner.id], organization_id: home!.id });
    await joinGroup(admin, group.id, joined.id);
    for (const user of [direct, joined]) expectProblem(await rename(helper, user), 403, 'escalation_denied');
    await admin.delete(`/api/organization/${home!.id}/members/${direct.id}`);
    expect((await rename(helper, direct)).status).toBe(200);
  });

  it('keeps others from giving the user roles, groups or grants', async () => {
    const giver = await anyone('user:admin', 'role:update', 'role:read', 'group:update', 'permission:update');
    const [olga, plain] = [await ownerOf(home!), await anyone()];
    const role = await createRole(admin, `empty_${made++}`);
    const group = await createGroup(admin, `Empty ${made++}`);
    const acts: [string, (id: string) => Promise<Answer<Problem>>][] = [
      ['role', (id) => giver.client.post<Problem>(`/api/user/${id}/roles`, { role_ids: [role.id] })],
      ['members', (id) => giver.client.post<Problem>(`/api/role/${role.id}/users`, { user_ids: [id] })],
      ['group', (id) => giver.client.post<Problem>(`/api/group/${group.id}/users`, { user_ids: [id] })],
      [
        'grants',
        (id) => giver.client.patch<Problem>(`/api/user/${id}/permissions`, { add: [{ permission_id: 'user:admin' }] }),
      ],
    ];
    for (const [name, act] of acts) {
      const [denied, done] = [await act(olga.id), await act(plain.id)];
      expect([name, denied.status, denied.body.code]).toEqual([name, 403, 'escalation_denied']);
      expect([name, done.status < 300 ? 'done' : done.text]).toEqual([name, 'done']);
    }
  });

  it('does not allow a change of its role, which members of other organizations have, too', async () => {
    const role = await createRole(admin, `shared_${made++}`, 'report:read');
    const [manager, member] = [await anyone('role:update', 'role:delete', 'role:read'), await anyone()];
    await addMember(admin, home!, manager, role);
    await addMember(admin, away!, member, role);
    const path = `/api/role/${role.id}`;
    const widen = { add: [{ permission_id: 'role:read' }] };
    expectProblem(await manager.client.patch(path, widen), 403, 'escalation_denied');
    expectProblem(await manager.client.delete(path), 403, 'escalation_denied');
    await admin.patch(`/api/user/${manager.id}/permissions`, { add: [{ permission_id: 'report:read' }] });
    expect((await manager.client.patch(path, widen)).status).toBe(200);
    expect((await manager.client.delete(path)).status).toBe(204);
  });

  it('is named in the audit entry of a denial', async () => {
    const [helper, olga] = [await anyone('user:admin'), await ownerOf(home!)];
    await rename(helper, olga);
    const entries = await service.query(
      `SELECT after FROM audit_event WHERE action = 'permission.escalate' AND target_id = $1`,
      [olga.id],
    );
    expect(entries).toMatchObject([{ after: { lacking_count: 2 } }]);
  });
});
