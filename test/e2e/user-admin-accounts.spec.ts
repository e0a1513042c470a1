import { UserCreated, UserEventsService } from '../../src/users';
import { storedUser } from '../support/accounts/accounts';
import { AdminUser, createUser } from '../support/accounts/admin-users';
import { expectProblem } from '../support/service/expect-problem';
import { createRole } from '../support/accounts/holders';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { ADMIN, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';
/** All members of AdminUser. */
const MEMBERS = [
  ...['id', 'username', 'nickname', 'avatar', 'email', 'email_verified', 'phone', 'phone_verified', 'locale', 'status'],
  ...['has_password', 'created_at', 'updated_at', 'last_login_at', 'must_change_password', 'locked_until'],
  ...['terms_version', 'terms_accepted_at', 'deletion_due_at', 'former_username', 'attributes'],
].sort();

interface AuditRow {
  readonly action: string;
  readonly actor_name: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

describe('user administration', () => {
  let service: TestService;
  let admin: TestClient;
  let names = 0;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  const newName = (): string => `account_${names++}`;

  const patch = <T = AdminUser>(id: string, body: object): Promise<Answer<T>> =>
    admin.patch<T>(`/api/user/${id}`, body);

  const audited = (id: string): Promise<AuditRow[]> =>
    service.query<AuditRow>(
      'SELECT action, actor_name, before, after FROM audit_event WHERE target_id = $1 ORDER BY at, id',
      [id],
    );

  const fieldsOf = ({ body }: Answer<Problem>): string[] =>
    (body.errors ?? []).map(({ field, code }) => `${field}: ${code}`);

  describe('creation', () => {
    it('needs only a name: no password, contact or role', async () => {
      const username = newName();
      const { status, body } = await admin.post<AdminUser>('/api/user', { username });
      expect(status).toBe(201);
      expect(Object.keys(body).sort()).toEqual(MEMBERS);
      expect(body).toMatchObject({
        username,
        nickname: '',
        email: null,
        phone: null,
        locale: null,
        status: 'active',
        has_password: false,
        must_change_password: false,
        last_login_at: null,
        locked_until: null,
      });
      expect(body.avatar).toMatch(/^\/api\/avatar\/[\w-]+\.svg$/);
      expect((await admin.get(`/api/user/${body.id}/roles`)).body).toEqual({ items: [] });
      expect((await admin.get(`/api/user/${body.id}`)).body).toEqual(body);
    });

    it('accepts all fields, roles included', async () => {
      const role = await createRole(admin, newName(), 'report:read');
      const username = newName();
      const created = await createUser(admin, username, {
        password: PASSWORD,
        must_change_password: false,
        email: `${username}@Example.com`,
        email_verified: true,
        phone: '13800138001',
        phone_verified: true,
        nickname: '安',
        locale: 'zh',
        role_ids: [role.id, role.id],
      });
      expect(created).toMatchObject({
        email: `${username}@Example.com`,
        email_verified: true,
        phone: '+8613800138001',
        phone_verified: true,
        nickname: '安',
        locale: 'zh',
        has_password: true,
        must_change_password: false,
      });
      const client = await service.logIn(`${username}@example.com`, PASSWORD);
      const me = await client.get<{ permissions: object[] }>('/api/auth/me');
      expect(me.body.permissions).toEqual([{ scope: 'iam', permission_id: 'report:read', level: 7 }]);
    });

    it('requires a change of a password set by an administrator at the first login', async () => {
      const { username } = await createUser(admin, newName(), { password: PASSWORD });
      const client = await service.logIn(username, PASSWORD);
      expectProblem(await client.get('/api/auth/sessions'), 403, 'password_change_required');
      const change = { current_password: PASSWORD, new_password: `${PASSWORD} of my own` };
      expect((await client.put('/api/auth/me/password', change)).status).toBe(204);
      expect((await client.get('/api/auth/sessions')).status).toBe(200);
    });

    it('notifies listeners of a new user, with the source `admin`', async () => {
      const notified: UserCreated[] = [];
      service.app.get(UserEventsService, { strict: false }).onUserCreate((event) => notified.push(event));
      const { id, username } = await createUser(admin, newName());
      expect(notified).toEqual([{ userId: id, username, source: 'admin' }]);
    });

    it.each([
      [{ username: 'ab' }, 'username: min_length'],
      [{ username: '+8613800138000' }, 'username: username'],
      [{ username: 'ann@example.com' }, 'username: username'],
      [{ username: null }, 'username: type_text'],
      [{}, 'username: required'],
      [{ username: 'x_ok', password: 'short' }, 'password: min_length'],
      [{ username: 'x_ok', password: '' }, 'password: min_length'],
      [{ username: 'x_ok', password: [PASSWORD] }, 'password: type_text'],
      [{ username: 'x_ok', email: 'no address' }, 'email: email'],
      [{ username: 'x_ok', email: 'a@example.com,b@example.com' }, 'email: email'],
      [{ username: 'x_ok', email_verified: true }, 'email_verified: nothing_to_verify'],
      [{ username: 'x_ok', email: '', email_verified: true }, 'email_verified: nothing_to_verify'],
      [{ username: 'x_ok', phone: '123' }, 'phone: phone'],
      [{ username: 'x_ok', phone_verified: true }, 'phone_verified: nothing_to_verify'],
      [{ username: 'x_ok', email: 'a@example.com', email_verified: 'true' }, 'email_verified: type_boolean'],
      [{ username: 'x_ok', nickname: 'a\nb' }, 'nickname: no_control_characters'],
      [{ username: 'x_ok', locale: 'fr' }, 'locale: one_of'],
      [{ username: 'x_ok', role_ids: 'all' }, 'role_ids: type_list'],
      [{ username: 'x_ok', role_ids: ['1e9'] }, 'role_ids[0]: id'],
      [{ username: 'x_ok', role_ids: [`{${UNKNOWN}}`] }, 'role_ids[0]: id'],
      [{ username: 'x_ok', role_ids: [UNKNOWN] }, 'role_ids[0]: unknown_role'],
      [{ username: 'x_ok', id: UNKNOWN }, 'id: unknown_field'],
      [{ username: 'x_ok', status: 'disabled' }, 'status: unknown_field'],
      [{ username: 'x_ok', password_hash: 'x' }, 'password_hash: unknown_field'],
      [{ username: 'x_ok', permissions: [] }, 'permissions: unknown_field'],
    ])('rejects %j and stores nothing', async (body, problem) => {
      const answer = await admin.post<Problem>('/api/user', body);
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toContain(problem);
      expect(await storedUser(service, 'x_ok')).toBeUndefined();
    });

    it('names an unknown role by its position in the request', async () => {
      const { id } = await createRole(admin, newName(), 'report:read');
      const answer = await admin.post<Problem>('/api/user', { username: 'x_ok', role_ids: [id, id, UNKNOWN] });
      expect(fieldsOf(answer)).toEqual(['role_ids[2]: unknown_role']);
    });

    it('applies the password rules', async () => {
      const common = await admin.post('/api/user', { username: newName(), password: 'password123' });
      expectProblem(common, 400, 'password_too_common');
      const username = 'the_password_itself';
      const same = await admin.post('/api/user', { username, password: 'The_Password_Itself' });
      expectProblem(same, 400, 'password_too_common');
    });

    it('rejects values that are taken', async () => {
      const taken = { email: 'taken@example.com', phone: '+8613800138002' };
      const { username } = await createUser(admin, newName(), taken);
      const again = async (body: object): Promise<unknown> => (await admin.post('/api/user', body)).body;
      expect(await again({ username: username.toUpperCase() })).toMatchObject({ status: 409, code: 'username_taken' });
      const email = 'TAKEN@example.com';
      expect(await again({ username: newName(), email })).toMatchObject({ status: 409, code: 'email_taken' });
      const phone = '138 0013 8002';
      expect(await again({ username: newName(), phone })).toMatchObject({ status: 409, code: 'phone_taken' });
    });

    it('creates one account for many requests with one name', async () => {
      const username = newName();
      const answers = await Promise.all(Array.from({ length: 20 }, () => admin.post('/api/user', { username })));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    });

    it('is audited without the password', async () => {
      const { id } = await createUser(admin, newName(), { password: PASSWORD, nickname: 'New' });
      const [row] = await audited(id);
      expect(row).toMatchObject({
        action: 'user.create',
        actor_name: ADMIN.username,
        before: null,
        after: { source: 'admin', nickname: 'New', must_change_password: true },
      });
      expect(JSON.stringify(row)).not.toMatch(/argon2|battery/);
    });
  });

  describe('update', () => {
    it('changes only the given fields', async () => {
      const before = await createUser(admin, newName(), { nickname: 'Old', locale: 'en' });
      const { status, body } = await patch(before.id, { nickname: 'New' });
      expect(status).toBe(200);
      expect(body).toEqual({ ...before, nickname: 'New', updated_at: body.updated_at });
      expect((await patch(before.id, { nickname: null, locale: null })).body).toMatchObject({
        nickname: '',
        locale: null,
      });
    });

    it('has no effect when all values are present already', async () => {
      const before = await createUser(admin, newName(), { nickname: 'Same', email: 'same@example.com' });
      const { body } = await patch(before.id, { nickname: 'Same', status: 'active', email: 'same@example.com' });
      expect(body).toEqual(before);
      expect(await audited(before.id)).toHaveLength(1);
      expect((await patch(before.id, {})).body).toEqual(before);
    });

    it('makes a changed contact unverified unless the administrator marks it as verified', async () => {
      const contacts = {
        email: 'old@example.com',
        email_verified: true,
        phone: '+8613800138003',
        phone_verified: true,
      };
      const { id } = await createUser(admin, newName(), contacts);
      expect((await patch(id, { email: 'OLD@example.com' })).body).toMatchObject({ email_verified: true });
      expect((await patch(id, { email: 'new@example.com' })).body).toMatchObject({ email_verified: false });
      expect((await patch(id, { email_verified: true })).body).toMatchObject({ email_verified: true });
      const other = { email: 'other@example.com', email_verified: true };
      expect((await patch(id, other)).body).toMatchObject(other);
      expect((await patch(id, { phone: '' })).body).toMatchObject({ phone: null, phone_verified: false });
      expect((await patch(id, { email_verified: false })).body).toMatchObject({ email_verified: false });
    });

    it('is effective at the next request of the user', async () => {
      const username = newName();
      const client = await service.signUp(username);
      const { body } = await client.get<{ id: string }>('/api/auth/me');
      await patch(body.id, { username: `${username}_renamed`, nickname: 'Renamed' });
      expect((await client.get('/api/auth/me')).body).toMatchObject({
        username: `${username}_renamed`,
        nickname: 'Renamed',
      });
      await patch(body.id, { must_change_password: true });
      expectProblem(await client.get('/api/auth/sessions'), 403, 'password_change_required');
    });

    it.each([
      [{ username: null }, 'username: type_text'],
      [{ username: 'no' }, 'username: min_length'],
      [{ password: PASSWORD }, 'password: unknown_field'],
      [{ role_ids: [] }, 'role_ids: unknown_field'],
      [{ id: UNKNOWN }, 'id: unknown_field'],
      [{ avatar: 'http://example.com/x.png' }, 'avatar: avatar'],
      [{ created_at: '2020-01-01T00:00:00Z' }, 'created_at: unknown_field'],
      [{ locked_until: null }, 'locked_until: unknown_field'],
      [{ status: 'deleted' }, 'status: one_of'],
      [{ status: null }, 'status: one_of'],
      [{ status: ['active'] }, 'status: one_of'],
      [{ email_verified: true }, 'email_verified: nothing_to_verify'],
      [{ email: null, email_verified: true }, 'email_verified: nothing_to_verify'],
      [{ must_change_password: 1 }, 'must_change_password: type_boolean'],
      [{ nickname: { $ne: null } }, 'nickname: type_text'],
    ])('rejects %j and changes nothing', async (body, problem) => {
      const { id, username } = await createUser(admin, newName());
      const before = await storedUser(service, username);
      const answer = await patch<Problem>(id, body);
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toContain(problem);
      expect(await storedUser(service, username)).toEqual(before);
    });

    it('rejects values that are taken', async () => {
      const taken = await createUser(admin, newName(), { email: 'mine@example.com', phone: '+8613800138004' });
      const { id } = await createUser(admin, newName());
      const code = async (body: object): Promise<unknown> => (await patch<Problem>(id, body)).body.code;
      expect(await code({ username: taken.username.toUpperCase() })).toBe('username_taken');
      expect(await code({ email: 'Mine@example.com' })).toBe('email_taken');
      expect(await code({ phone: '+86 138 0013 8004' })).toBe('phone_taken');
    });

    it('is audited with old and new values', async () => {
      const { id } = await createUser(admin, newName(), { nickname: 'Before', email: 'b@example.com' });
      await patch(id, { nickname: 'After', email: 'a@example.com', status: 'disabled' });
      const rows = await audited(id);
      expect(rows.find(({ action }) => action === 'user.update')).toEqual({
        action: 'user.update',
        actor_name: ADMIN.username,
        before: { nickname: 'Before', email: 'b@example.com', status: 'active' },
        after: { nickname: 'After', email: 'a@example.com', status: 'disabled' },
      });
    });

    it('returns 404 for an unknown user', async () => {
      for (const id of [UNKNOWN, UNKNOWN.toUpperCase(), 'me', '1', `{${UNKNOWN}}`]) {
        expect((await patch(id, { nickname: 'x' })).status).toBe(404);
        expect((await admin.get(`/api/user/${encodeURIComponent(id)}`)).status).toBe(404);
        expect((await admin.delete(`/api/user/${encodeURIComponent(id)}`)).status).toBe(404);
      }
    });
  });

  describe('deletion', () => {
    it('deletes the account with its sessions, roles and grants, and frees its names', async () => {
      const username = newName();
      const client = await service.signUp(username, { email: 'gone@example.com' });
      const { body } = await client.get<{ id: string }>('/api/auth/me');
      expect((await admin.delete(`/api/user/${body.id}`)).status).toBe(204);
      expectProblem(await client.get('/api/auth/me'), 401, 'session_revoked');
      expect((await client.post('/api/auth/refresh')).status).toBe(401);
      expect((await admin.get(`/api/user/${body.id}`)).status).toBe(404);
      expect((await admin.delete(`/api/user/${body.id}`)).status).toBe(404);
      for (const table of ['session', 'user_role', 'user_grant']) {
        expect(await service.query(`SELECT 1 FROM ${table} WHERE user_id = $1`, [body.id])).toEqual([]);
      }
      await createUser(admin, username, { email: 'gone@example.com' });
      expect((await audited(body.id)).map(({ action }) => action)).toContain('user.delete');
    });
  });
});
