import { AdminUser, createUser } from '../support/accounts/admin-users';
import { logInLongAgo, storedUser } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { createRole, UserWithGrants, userWith, RoleAnswer, systemRole } from '../support/accounts/holders';
import { ownRoutes } from '../support/service/own-routes';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { ADMIN, PASSWORD, TestService } from '../support/service/test-service';
import { actOn, IMPERSONATING, NEW_PASSWORD, UserAct } from '../support/accounts/user-acts';
import { withService } from '../support/service/with-service';

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';

/** Requests that end access and grant none. */
const ENDING_ACCESS: readonly UserAct[] = [
  ['remove the lock of', 'DELETE', '/lock'],
  ['change nothing of', 'PATCH', '', {}],
  ['send a reset code to', 'POST', '/password-reset'],
  ['end the sessions of', 'DELETE', '/sessions'],
  ['keep the account of', 'POST', '/deletion/cancel'],
  ['disable', 'PATCH', '', { status: 'disabled' }],
  ['enable', 'PATCH', '', { status: 'active' }],
];

/** Requests that are tested elsewhere: below, or in the tests of roles and grants. */
const TESTED_ELSEWHERE: readonly string[] = [
  'POST /api/user',
  'POST /api/user/batch/status',
  'POST /api/user/import',
  'DELETE /api/user/{id}/sessions/{sid}',
  'POST /api/user/{id}/roles',
  'DELETE /api/user/{id}/roles/{role_id}',
  'PATCH /api/user/{id}/permissions',
];

/** Requests that show contacts, status, sessions and rights, but no secret. */
const LOOKS: readonly string[] = [
  'GET /api/user',
  'GET /api/user/export',
  'GET /api/user/attribute',
  'GET /api/user/{id}',
  'GET /api/user/{id}/sessions',
  'GET /api/user/{id}/roles',
  'GET /api/user/{id}/permissions',
  'GET /api/user/{id}/mfa',
  'GET /api/user/{id}/identities',
];

const ACTS = [...IMPERSONATING, ...ENDING_ACCESS];

const CASES = ACTS.map((act) => [act[0], act] as const);

describe('a user administrator without other permissions', () => {
  let service: TestService;
  let admin: TestClient;
  let adminId: string;
  let limited: UserWithGrants;
  let names = 0;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    adminId = (await admin.get<{ id: string }>('/api/auth/me')).body.id;
    limited = await userWith(service, admin, 'limited', 'user:admin');
  });

  const newName = (): string => `person_${names++}`;

  const reporterRole = (): Promise<RoleAnswer> =>
    createRole(admin, newName(), { permission_id: 'report:read', level: 1 });

  it('has a test for every request on a user', () => {
    const acts = ownRoutes(service)
      .filter(({ policy }) => policy?.kind === 'permission' && policy.permissions.includes('user:admin'))
      .map(({ route }) => route);
    const tested = ACTS.map(([, method, path]) => `${method} /api/user/{id}${path}`);
    expect([...new Set([...tested, ...TESTED_ELSEWHERE, ...LOOKS])].sort()).toEqual(acts.sort());
  });

  it.each(CASES)('may %s an ordinary user', async (_, wanted) => {
    const email = wanted[3] && 'email_verified' in wanted[3] ? `${newName()}@example.com` : undefined;
    const { id } = await createUser(admin, newName(), {
      password: PASSWORD,
      ...(email ? { email } : { email: `${newName()}@example.com`, email_verified: true }),
    });
    const answer = await actOn(limited.client, id, wanted);
    expect([200, 202, 204]).toContain(answer.status);
    await admin.delete(`/api/user/${id}`);
  });

  it.each(CASES)('may not %s the administrator', async (_, wanted) => {
    const before = await storedUser(service, ADMIN.username);
    const answer = await actOn(limited.client, adminId, wanted);
    expectProblem(answer, 403, 'escalation_denied');
    expect(await storedUser(service, ADMIN.username)).toEqual(before);
    expect((await admin.get('/api/auth/me')).status).toBe(200);
  });

  it('may list but not end single sessions of the administrator', async () => {
    const { body } = await limited.client.get<{ items: { id: string }[] }>(`/api/user/${adminId}/sessions`);
    const end = (id: string): Promise<Answer> => limited.client.delete(`/api/user/${adminId}/sessions/${id}`);
    expectProblem(await end(body.items[0]!.id), 403, 'escalation_denied');
    expectProblem(await end(UNKNOWN), 404, 'not_found');
    expect((await admin.get('/api/auth/me')).status).toBe(200);
  });

  it.each([
    ['directly', { permission_id: 'report:read', level: 1 }],
    ['at a higher level', { permission_id: 'user:admin', scope: '*' }],
    ['in another scope', { permission_id: 'user:admin', scope: 'billing' }],
  ])('may end access of a user with more permissions %s, but not log in as that user', async (_, grant) => {
    const { id } = await userWith(service, admin, newName(), grant);
    await admin.patch(`/api/user/${id}`, { email: `${newName()}@example.com`, email_verified: true });
    for (const wanted of IMPERSONATING) {
      expectProblem(await actOn(limited.client, id, wanted), 403, 'escalation_denied');
    }
    for (const wanted of ENDING_ACCESS) {
      const { status, text } = await actOn(limited.client, id, wanted);
      expect([wanted[0], status < 300 ? 'done' : text]).toEqual([wanted[0], 'done']);
    }
  });

  it('may end a single session of a user with more permissions', async () => {
    const { id, client } = await userWith(service, admin, newName(), 'report:read');
    const { body } = await limited.client.get<{ items: { id: string }[] }>(`/api/user/${id}/sessions`);
    expect((await limited.client.delete(`/api/user/${id}/sessions/${body.items[0]!.id}`)).status).toBe(204);
    expect((await client.get('/api/auth/me')).status).toBe(401);
  });

  it.each([
    ['all permissions below level 7', { permission_id: '*', scope: '*', level: 6 }],
    ['all permissions in another scope', { permission_id: '*', scope: 'billing' }],
  ])('may end access of a user with %s', async (_, grant) => {
    const { id } = await userWith(service, admin, newName(), grant);
    expect((await actOn(limited.client, id, ['end the sessions of', 'DELETE', '/sessions'])).status).toBe(204);
  });

  it('may not change a user with more permissions by a role, until the role is removed', async () => {
    const role = await reporterRole();
    const { id } = await createUser(admin, newName(), { role_ids: [role.id] });
    const rename: UserAct = ['rename', 'PATCH', '', { nickname: 'New' }];
    expectProblem(await actOn(limited.client, id, rename), 403, 'escalation_denied');
    await admin.delete(`/api/user/${id}/roles/${role.id}`);
    expect((await actOn(limited.client, id, rename)).status).toBe(200);
  });

  it('may change a user with the same permissions', async () => {
    const { id } = await userWith(service, admin, newName(), 'user:admin');
    expect((await actOn(limited.client, id, ['disable', 'PATCH', '', { status: 'disabled' }])).status).toBe(200);
  });

  describe('creating accounts', () => {
    const create = (role_ids: string[], more: object = {}): Promise<Answer<Problem>> =>
      limited.client.post<Problem>('/api/user', { username: newName(), role_ids, ...more });

    it('may assign roles whose permissions the caller holds', async () => {
      const { id } = await systemRole(admin, 'user');
      expect((await create([id])).status).toBe(201);
      expect((await create([])).status).toBe(201);
    });

    it('may not assign roles with more permissions, in any combination', async () => {
      const user = await systemRole(admin, 'user');
      const role = await systemRole(admin, 'admin');
      const reporter = await reporterRole();
      for (const ids of [[role.id], [user.id, role.id], [reporter.id, user.id], [user.id, user.id, reporter.id]]) {
        const username = newName();
        expectProblem(await create(ids, { username }), 403, 'escalation_denied');
        expect(await storedUser(service, username)).toBeUndefined();
      }
    });

    it('stores nothing when one of many roles is unknown', async () => {
      const user = await systemRole(admin, 'user');
      const username = newName();
      const answer = await create([user.id, UNKNOWN], { username });
      expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ field: 'role_ids[1]' }] });
      expect(await storedUser(service, username)).toBeUndefined();
    });

    it('checks fields first, then roles, then taken values', async () => {
      const { id } = await systemRole(admin, 'admin');
      expectProblem(await create([id], { username: 'x' }), 400, 'validation_failed');
      expectProblem(await create([id, UNKNOWN], { username: ADMIN.username }), 400, 'validation_failed');
      expectProblem(await create([id], { username: ADMIN.username }), 403, 'escalation_denied');
      expectProblem(await create([], { username: ADMIN.username }), 409, 'username_taken');
    });
  });

  it('checks fields first, then existence, then permissions, then state', async () => {
    const taken = await createUser(admin, newName());
    const patch = async (client: TestClient, id: string, body: object): Promise<string> =>
      (await client.patch<Problem>(`/api/user/${id}`, body)).body.code;
    expect(await patch(limited.client, UNKNOWN, { username: 'x' })).toBe('validation_failed');
    expect(await patch(limited.client, UNKNOWN, { username: taken.username })).toBe('not_found');
    expect(await patch(limited.client, adminId, { username: taken.username })).toBe('escalation_denied');
    expect(await patch(admin, adminId, { username: taken.username })).toBe('username_taken');
    const nobody = await service.signUp(newName());
    expect(await patch(nobody, UNKNOWN, { username: 'x' })).toBe('permission_denied');
    expect(await patch(service.client(), UNKNOWN, { username: 'x' })).toBe('unauthenticated');
  });

  describe('own account', () => {
    it('cannot be deleted here, not even by the last administrator', async () => {
      const remove = (client: TestClient, id: string): Promise<Answer> => client.delete(`/api/user/${id}`);
      expectProblem(await remove(limited.client, limited.id), 403, 'escalation_denied');
      expectProblem(await remove(admin, adminId), 403, 'escalation_denied');
      expect((await limited.client.get('/api/auth/me')).status).toBe(200);
    });

    it.each<[string, object]>([
      ['email', { email: 'thief@example.com', email_verified: true }],
      ['verification of a contact', { email_verified: true }],
      ['phone', { phone: '+8613800138007' }],
      ['status', { status: 'disabled' }],
    ])('cannot change the %s here, where a session alone would be sufficient', async (_, body) => {
      const owner = await userWith(service, admin, newName(), 'user:admin');
      await owner.client.patch('/api/auth/me', { email: `${owner.username}@example.com` });
      const before = await storedUser(service, owner.username);
      const answer = await owner.client.patch(`/api/user/${owner.id}`, body);
      expectProblem(answer, 403, 'escalation_denied');
      expect(await storedUser(service, owner.username)).toEqual(before);
    });

    it('cannot set its password here, where the present one is not required', async () => {
      const before = await storedUser(service, limited.username);
      const answer = await limited.client.put(`/api/user/${limited.id}/password`, { new_password: NEW_PASSWORD });
      expectProblem(answer, 403, 'escalation_denied');
      expect(await storedUser(service, limited.username)).toEqual(before);
      expect((await limited.client.get('/api/auth/me')).status).toBe(200);
    });

    it('can change all other fields, with unchanged contacts', async () => {
      const { email } = (await limited.client.get<AdminUser>('/api/auth/me')).body;
      const body = { nickname: 'Me', email, status: 'active' };
      expect((await limited.client.patch<AdminUser>(`/api/user/${limited.id}`, body)).body).toMatchObject({
        nickname: 'Me',
      });
    });
  });

  it("needs a recent login to set another user's password", async () => {
    const { id } = await createUser(admin, newName(), { password: PASSWORD });
    const { username } = await userWith(service, admin, newName(), 'user:admin');
    const helper = await logInLongAgo(service, username);
    const setPassword = (): Promise<Answer> => helper.put(`/api/user/${id}/password`, { new_password: NEW_PASSWORD });
    expectProblem(await setPassword(), 401, 'reauthentication_required');
    await helper.post('/api/auth/reauthenticate', { password: PASSWORD });
    expect((await setPassword()).status).toBe(204);
  });

  it('cannot disable the last administrator, even with all permissions', async () => {
    const peer = await userWith(service, admin, newName(), { permission_id: '*:*', scope: '*', level: 7 });
    const disable = (): Promise<Answer> => peer.client.patch(`/api/user/${adminId}`, { status: 'disabled' });
    expectProblem(await disable(), 409, 'last_admin');
    // A user who cannot log in does not count as another administrator.
    const { id: roleId } = await systemRole(admin, 'admin');
    const idle = await createUser(admin, newName(), { role_ids: [roleId] });
    expectProblem(await disable(), 409, 'last_admin');
    const second = await createUser(admin, newName(), { role_ids: [roleId], password: PASSWORD });
    await admin.patch(`/api/user/${second.id}`, { status: 'disabled' });
    expectProblem(await disable(), 409, 'last_admin');
    expect((await admin.get('/api/auth/me')).status).toBe(200);
    for (const { id } of [idle, second, peer]) expect((await admin.delete(`/api/user/${id}`)).status).toBe(204);
  });

  it('loses the permission with the grant at the next request', async () => {
    const holder = await userWith(service, admin, newName(), 'user:admin');
    expect((await holder.client.get('/api/user')).status).toBe(200);
    await admin.patch(`/api/user/${holder.id}/permissions`, { remove: ['user:admin'] });
    expectProblem(await holder.client.get('/api/user'), 403, 'permission_denied');
  });

  it('needs the exact permission: a lower level, another scope or a similar name is not enough', async () => {
    const near = [
      { permission_id: 'user:admin', level: 6 },
      { permission_id: 'user:admin', scope: 'billing' },
      { permission_id: 'users:admin' },
      { permission_id: 'user:read' },
    ];
    const { client } = await userWith(service, admin, newName(), ...near.slice(0, 1));
    const others = await userWith(service, admin, newName(), ...near.slice(1));
    for (const one of [client, others.client]) {
      expect((await one.get('/api/user')).status).toBe(403);
      expect((await one.post('/api/user', { username: newName() })).status).toBe(403);
    }
  });
});
