import { RoleAnswer, systemRole } from '../support/holders';
import { TestClient } from '../support/test-client';
import { TestService } from '../support/test-service';

describe('roles of the system', () => {
  let service: TestService;
  let admin: TestClient;

  beforeAll(async () => {
    service = await TestService.start();
    admin = await service.admin();
  });

  afterAll(() => service.stop());

  it.each(['admin', 'user'] as const)('%s is neither changed, deleted nor given in bulk', async (name) => {
    const role = await systemRole(admin, name);
    const protect = { status: 403, body: { code: 'system_role_protected' } };
    expect(await admin.patch(`/api/role/${role.id}`, {})).toMatchObject(protect);
    expect(await admin.patch(`/api/role/${role.id}`, { name: 'other' })).toMatchObject(protect);
    expect(await admin.patch(`/api/role/${role.id}`, { permissions: [] })).toMatchObject(protect);
    expect(await admin.delete(`/api/role/${role.id}`)).toMatchObject(protect);
    expect(await admin.get(`/api/role/${role.id}/users`)).toMatchObject(protect);
    expect(await admin.put(`/api/role/${role.id}/users`, { user_ids: [] })).toMatchObject(protect);
    expect((await admin.get<RoleAnswer>(`/api/role/${role.id}`)).body).toEqual(role);
  });

  it('give what the code says', async () => {
    expect((await systemRole(admin, 'admin')).permissions).toEqual([{ scope: '*', permission_id: '*:*', level: 7 }]);
    expect((await systemRole(admin, 'user')).permissions).toEqual([
      { scope: 'iam', permission_id: 'profile:read', level: 1 },
      { scope: 'iam', permission_id: 'profile:update', level: 3 },
    ]);
  });

  it('name nobody else: a role called admin in another scope is a role like any other', async () => {
    const answer = await admin.post<RoleAnswer>('/api/role', { name: 'admin', scope: 'crm' });
    expect(answer.body).toMatchObject({ is_system: false, permissions: [] });
    expect((await admin.delete(`/api/role/${answer.body.id}`)).status).toBe(204);
  });
});
