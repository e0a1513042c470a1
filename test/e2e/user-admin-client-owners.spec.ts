import { AdminUser } from '../support/accounts/admin-users';
import { expectProblem } from '../support/service/expect-problem';
import { createRole, GrantInput, UserWithGrants, userWith } from '../support/accounts/holders';
import { TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { actOn, IMPERSONATING, UserAct } from '../support/accounts/user-acts';
import { withService } from '../support/service/with-service';

describe('a user administrator without other permissions, on an owner of an OAuth client', () => {
  let service: TestService;
  let admin: TestClient;
  let limited: UserWithGrants;
  let names = 0;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    limited = await userWith(service, admin, 'limited', 'user:admin');
  });

  const newName = (): string => `person_${names++}`;

  const EVERYTHING: GrantInput = { permission_id: '*', level: 7 };

  const owner = async (fields: object, enabled = true): Promise<string> => {
    const { id, client } = await userWith(service, admin, newName(), EVERYTHING);
    const made = await client.post<{ id: string }>('/api/oauth/client', {
      name: 'Reports',
      redirect_uris: ['https://reports.example.com/callback'],
      ...fields,
    });
    expect(made.status).toBe(201);
    if (!enabled) await client.patch(`/api/oauth/client/${made.body.id}`, { enabled: false });
    // Removes the owner's own grants. What the client may request still counts.
    const removed = await admin.patch(`/api/user/${id}/permissions`, { remove: ['*'] });
    expect(removed.status).toBe(200);
    return id;
  };

  it.each([
    ['enabled', true],
    ['disabled', false],
  ])('counts as holding the scopes of the client, which is %s', async (_, enabled) => {
    const id = await owner({ scopes: ['openid', 'audit:read'] }, enabled);
    for (const wanted of IMPERSONATING) {
      expectProblem(await actOn(limited.client, id, wanted), 403, 'escalation_denied');
    }
    expect((await actOn(limited.client, id, ['end the sessions of', 'DELETE', '/sessions'])).status).toBe(204);
  });

  it.each([
    ['scopes', { scopes: ['audit:read'] }],
    ['introspection resources', { introspection_resources: ['urn:castellan:iam'] }],
  ])('may not get roles or grants from a user without the %s of the client', async (_, fields) => {
    const role = await createRole(admin, newName());
    const empty = await createRole(admin, newName());
    const id = await owner(fields);
    await admin.post(`/api/user/${id}/roles`, { role_ids: [role.id] });
    const { client } = await userWith(service, admin, newName(), 'user:admin', 'role:update');
    const users = { user_ids: [id] };
    for (const wanted of [
      ['add a role to', 'POST', '/roles', { role_ids: [empty.id] }],
      ['remove a role from', 'DELETE', `/roles/${role.id}`],
      ['change the grants of', 'PATCH', '/permissions', { add: [{ permission_id: 'user:admin' }] }],
      ['rename', 'PATCH', '', { nickname: 'Fool' }],
    ] satisfies UserAct[]) {
      const { body } = await actOn(client, id, wanted);
      expect([wanted[0], body]).toMatchObject([wanted[0], { code: 'escalation_denied' }]);
    }
    const members = `/api/role/${role.id}/users`;
    expect((await client.post(`/api/role/${empty.id}/users`, users)).body).toMatchObject({ status: 403 });
    expect((await client.put(members, { user_ids: [] })).body).toMatchObject({ status: 403 });
    expect((await client.delete(`${members}/${id}`)).body).toMatchObject({ status: 403 });
    expect((await admin.delete(`${members}/${id}`)).status).toBe(204);
  });

  it('may remove the own role, whatever scopes the client has', async () => {
    const role = await createRole(admin, newName());
    const id = await owner({ scopes: ['openid', 'audit:read'] });
    await admin.post(`/api/user/${id}/roles`, { role_ids: [role.id] });
    const add = [{ permission_id: 'user:admin' }, { permission_id: 'role:update' }];
    await admin.patch(`/api/user/${id}/permissions`, { add });
    const { username } = (await admin.get<AdminUser>(`/api/user/${id}`)).body;
    const self = await service.logIn(username, PASSWORD);
    expect((await self.delete(`/api/user/${id}/roles/${role.id}`)).status).toBe(204);
  });

  it('may change the own name here, whatever scopes the client has', async () => {
    const id = await owner({ scopes: ['openid', 'audit:read'] });
    await admin.patch(`/api/user/${id}/permissions`, { add: [{ permission_id: 'user:admin' }] });
    const { username } = (await admin.get<AdminUser>(`/api/user/${id}`)).body;
    const self = await service.logIn(username, PASSWORD);
    expect((await actOn(self, id, ['rename', 'PATCH', '', { nickname: 'Me' }])).status).toBe(200);
  });

  it('may be changed when the client has only standard scopes', async () => {
    const id = await owner({ scopes: ['openid', 'profile', 'offline_access'] });
    expect((await actOn(limited.client, id, ['rename', 'PATCH', '', { nickname: 'New' }])).status).toBe(200);
  });
});
