import { createRole, UserWithGrants, userWith, RoleAnswer, systemRole } from '../support/accounts/holders';
import { Problem, TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Grants {
  direct: { scope: string; permission_id: string; level: number }[];
  effective: { scope: string; permission_id: string; level: number; from: string[] }[];
}
interface Roles {
  items: RoleAnswer[];
}

const UNKNOWN = '01900000-0000-7000-8000-00000000beef';

describe('user permissions', () => {
  let service: TestService;
  let admin: TestClient;
  let ann: UserWithGrants;
  let people = 0;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  beforeEach(async () => {
    ann = await userWith(service, admin, `ann_${people++}`);
  });

  const audited = (): Promise<{ action: string; before: unknown; after: unknown }[]> =>
    service.query(
      `SELECT action, before, after FROM audit_event WHERE target_id = $1 AND actor_name = 'admin' ORDER BY id`,
      [ann.id],
    );

  describe('through roles', () => {
    it('are assigned and removed one user at a time, also with the role user', async () => {
      const role = await createRole(admin, `editor_${people}`, 'report:update');
      const user = await systemRole(admin, 'user');
      const given = await admin.post<Roles>(`/api/user/${ann.id}/roles`, { role_ids: [role.id, user.id] });
      expect(given.status).toBe(200);
      expect(given.body.items.map(({ name }) => name)).toEqual([role.name, 'user']);
      const { user_count: _count, ...shown } = role;
      expect(given.body.items[0]).toEqual(shown);
      expect((await admin.get<Roles>(`/api/user/${ann.id}/roles`)).body).toEqual(given.body);

      expect(await admin.delete(`/api/user/${ann.id}/roles/${user.id}`)).toMatchObject({ status: 204, text: '' });
      expect((await ann.client.get<{ permissions: unknown }>('/api/auth/me')).body.permissions).toEqual([
        { scope: 'iam', permission_id: 'report:update', level: 7 },
      ]);
      const names = (...items: string[]): object => ({ roles: items.map((name) => ({ name })) });
      expect(await audited()).toMatchObject([
        { action: 'user.add_roles', before: names('user'), after: names(role.name, 'user') },
        { action: 'user.remove_role', before: names(role.name, 'user'), after: names(role.name) },
      ]);
    });

    it('are removed from the only administrator, except the role admin', async () => {
      const admins = await systemRole(admin, 'admin');
      const { body } = await admin.get<{ id: string }>('/api/auth/me');
      const role = await createRole(admin, `passing_${people}`);
      await admin.post(`/api/user/${body.id}/roles`, { role_ids: [role.id] });
      expect((await admin.delete(`/api/user/${body.id}/roles/${role.id}`)).status).toBe(204);
      expect((await admin.delete(`/api/user/${body.id}/roles/${admins.id}`)).status).toBe(409);
    });

    it('do not change when a role is assigned again, which is not audited', async () => {
      const user = await systemRole(admin, 'user');
      expect((await admin.post<Roles>(`/api/user/${ann.id}/roles`, { role_ids: [user.id] })).body.items).toHaveLength(
        1,
      );
      expect(await audited()).toEqual([]);
    });

    it('do not change for a list with one unknown role, which the error names', async () => {
      const role = await createRole(admin, `half_${people}`);
      const answer = await admin.post<Problem>(`/api/user/${ann.id}/roles`, { role_ids: [role.id, UNKNOWN] });
      expect(answer.body.errors).toEqual([
        { field: 'role_ids[1]', code: 'unknown_role', detail: expect.stringContaining(UNKNOWN) as string },
      ]);
      expect((await admin.get<Roles>(`/api/user/${ann.id}/roles`)).body.items.map(({ name }) => name)).toEqual([
        'user',
      ]);
    });

    it('return 404 for a role that was not assigned and for an unknown user', async () => {
      const role = await createRole(admin, `absent_${people}`);
      expect((await admin.delete(`/api/user/${ann.id}/roles/${role.id}`)).status).toBe(404);
      expect((await admin.delete(`/api/user/${UNKNOWN}/roles/${role.id}`)).status).toBe(404);
      expect((await admin.get(`/api/user/${UNKNOWN}/roles`)).status).toBe(404);
      expect((await admin.post(`/api/user/${UNKNOWN}/roles`, { role_ids: [role.id] })).status).toBe(404);
      expect((await admin.post(`/api/user/${ann.id}/roles`, { role_ids: [] })).status).toBe(400);
      expect((await admin.get(`/api/user/${UNKNOWN}/permissions`)).status).toBe(404);
      expect((await admin.patch(`/api/user/${UNKNOWN}/permissions`, {})).status).toBe(404);
    });

    it('end on the next request here, and within a second on another instance', async () => {
      const other = await (await service.another()).logIn(ann.username);
      const role = await createRole(admin, `reader_${people}`, 'role:read');
      await admin.post(`/api/user/${ann.id}/roles`, { role_ids: [role.id] });
      expect((await ann.client.get('/api/role')).status).toBe(200);
      await eventually(
        () => other.get('/api/role'),
        ({ status }) => status === 200,
        1.2,
      );
      await admin.delete(`/api/user/${ann.id}/roles/${role.id}`);
      expect((await ann.client.get('/api/role')).status).toBe(403);
      await eventually(
        () => other.get('/api/role'),
        ({ status }) => status === 403,
        1.2,
      );
    });
  });

  describe('direct', () => {
    it('are granted with levels, changed and removed, each change audited', async () => {
      const change = async (body: object): Promise<string[]> =>
        (await admin.patch<Grants>(`/api/user/${ann.id}/permissions`, body)).body.direct.map(
          ({ scope, permission_id, level }) => `${scope}:${permission_id}@${level}`,
        );
      expect(await change({ add: [{ permission_id: 'report:read', level: 1 }, { permission_id: 'crm:*:*' }] })).toEqual(
        ['crm:*:*@7', 'iam:report:read@1'],
      );
      expect(
        await change({ add: [{ permission_id: 'iam:report:read', level: 3 }], remove: ['crm:*:*', 'no:thing'] }),
      ).toEqual(['iam:report:read@3']);
      expect(await change({ remove: ['report:read'] })).toEqual([]);
      expect(await change({ remove: ['report:read'] })).toEqual([]);
      expect(await audited()).toMatchObject([
        {
          action: 'user.change_permissions',
          before: { permissions: [] },
          after: { permissions: [{ scope: 'crm' }, { level: 1 }] },
        },
        { after: { permissions: [{ scope: 'iam', permission_id: 'report:read', level: 3 }] } },
        { before: { permissions: [{ permission_id: 'report:read', level: 3 }] }, after: { permissions: [] } },
      ]);
    });

    it('store all permissions of a scope as *:*', async () => {
      const { body } = await admin.patch<Grants>(`/api/user/${ann.id}/permissions`, {
        add: [{ permission_id: '*', level: 2 }],
      });
      expect(body.direct).toEqual([{ scope: 'iam', permission_id: '*:*', level: 2 }]);
      expect((await admin.patch<Grants>(`/api/user/${ann.id}/permissions`, { remove: ['*'] })).body.direct).toEqual([]);
    });

    it('are effective on the next request', async () => {
      expect((await ann.client.get('/api/role')).status).toBe(403);
      await admin.patch(`/api/user/${ann.id}/permissions`, { add: [{ permission_id: 'role:read' }] });
      expect((await ann.client.get('/api/role')).status).toBe(200);
      await admin.patch(`/api/user/${ann.id}/permissions`, { remove: ['role:read'] });
      expect((await ann.client.get('/api/role')).status).toBe(403);
    });

    it('are rejected when malformed', async () => {
      const answer = await admin.patch<Problem>(`/api/user/${ann.id}/permissions`, {
        add: [{ permission_id: 'report:read' }],
        remove: ['report'],
      });
      expect(answer.body.errors).toMatchObject([{ field: 'remove[0]', code: 'permission' }]);
    });
  });

  it('combine to the highest level of each, with all its sources', async () => {
    const one = await createRole(
      admin,
      `b_role_${people}`,
      { permission_id: 'report:read', level: 2 },
      { permission_id: 'note:read', level: 5 },
    );
    const two = await createRole(
      admin,
      `a_role_${people}`,
      { permission_id: 'report:read', level: 2 },
      { permission_id: 'note:read', level: 1 },
    );
    await admin.post(`/api/user/${ann.id}/roles`, { role_ids: [one.id, two.id] });
    const add = [
      { permission_id: 'report:read', level: 2 },
      { permission_id: 'note:read', level: 3 },
    ];
    const answer = await admin.patch<Grants>(`/api/user/${ann.id}/permissions`, { add });
    expect(answer.body.effective).toEqual([
      { scope: 'iam', permission_id: 'note:read', level: 5, from: [one.name] },
      { scope: 'iam', permission_id: 'profile:read', level: 1, from: ['user'] },
      { scope: 'iam', permission_id: 'profile:update', level: 3, from: ['user'] },
      { scope: 'iam', permission_id: 'report:read', level: 2, from: ['direct', two.name, one.name] },
    ]);
    expect((await admin.get<Grants>(`/api/user/${ann.id}/permissions`)).body).toEqual(answer.body);
  });

  it('are changed only by a caller with both user:admin and role:update', async () => {
    const looker = await userWith(service, admin, `looker_${people}`, 'user:admin');
    const editor = await userWith(service, admin, `editor_only_${people}`, 'role:update');
    expect((await looker.client.get(`/api/user/${ann.id}/permissions`)).status).toBe(200);
    const denied = (permission: string): object => ({
      status: 403,
      body: { code: 'permission_denied', params: { permission, scope: 'iam' } },
    });
    expect(await looker.client.patch(`/api/user/${ann.id}/permissions`, {})).toMatchObject(denied('role:update'));
    expect(await editor.client.patch(`/api/user/${ann.id}/permissions`, {})).toMatchObject(denied('user:admin'));
    expect(await editor.client.get(`/api/user/${ann.id}/roles`)).toMatchObject(denied('user:admin'));
  });
});
