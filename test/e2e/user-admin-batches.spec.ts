import { AdminUser, createUser } from '../support/accounts/admin-users';
import { endOfFeed, eventsSince } from '../support/receivers/events';
import { expectProblem } from '../support/service/expect-problem';
import { createRole, userWith, systemRole } from '../support/accounts/holders';
import { readCsv } from '../../src/platform/util';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { ADMIN, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';

describe('many users at once', () => {
  let service: TestService;
  let admin: TestClient;
  let adminId: string;
  let names = 0;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    adminId = (await admin.get<{ id: string }>('/api/auth/me')).body.id;
  });

  const person = (more: object = {}): Promise<AdminUser> => createUser(admin, `person_${names++}`, more);

  const setStatus = (user_ids: unknown, status: string, by = admin): Promise<Answer<Problem & { changed?: number }>> =>
    by.post('/api/user/batch/status', { user_ids, status });

  const statusOf = async ({ id }: { id: string }): Promise<string> =>
    (await admin.get<AdminUser>(`/api/user/${id}`)).body.status;

  const events = (action: string, id?: string): Promise<Record<string, unknown>[]> =>
    service.query(
      `SELECT target_id, before, after, actor_name FROM audit_event WHERE action = $1 AND ($2::text IS NULL OR target_id = $2)
       ORDER BY at DESC, id DESC`,
      [action, id ?? null],
    );

  describe('POST /api/user/batch/status', () => {
    it('disables users, ends their sessions and codes, audits each, and enables them again', async () => {
      const client = await service.signUp('to_disable');
      const { body: me } = await client.get<{ id: string }>('/api/auth/me');
      const other = await person();
      const off = await person();
      await admin.patch(`/api/user/${off.id}`, { status: 'disabled' });
      const ids = [me.id, other.id, off.id, other.id];
      expect((await setStatus(ids, 'disabled')).body).toEqual({ changed: 2 });
      expect((await client.get('/api/auth/me')).status).toBe(401);
      expect(await Promise.all([me, other, off].map(statusOf))).toEqual(['disabled', 'disabled', 'disabled']);
      for (const { id } of [me, other]) {
        expect((await events('user.update', id))[0]).toEqual({
          target_id: id,
          before: { status: 'active' },
          after: { status: 'disabled' },
          actor_name: ADMIN.username,
        });
      }
      expect((await events('session.revoke_all', me.id))[0]).toMatchObject({ after: { revoked: 1 } });
      expect(await events('session.revoke_all', other.id)).toEqual([]);
      expectProblem(
        await service
          .client()
          .post('/api/auth/login', { type: 'password', username: 'to_disable', password: PASSWORD }),
        403,
        'user_disabled',
      );
      expect((await setStatus([me.id, other.id], 'active')).body).toEqual({ changed: 2 });
      expect((await service.logIn('to_disable')).jar.size).toBeGreaterThan(0);
    });

    it('ends what applications hold for the users', async () => {
      const [one, other] = [await person(), await person()];
      const add = `INSERT INTO oauth_artifact (model, id, payload, user_id, expires_at)
        VALUES ('RefreshToken', $1::text, '{}', $1::uuid, now() + interval '1 day')`;
      for (const { id } of [one, other]) await service.query(add, [id]);
      await setStatus([one.id], 'disabled');
      const left = await service.query('SELECT id FROM oauth_artifact WHERE user_id = ANY($1::uuid[])', [
        [one.id, other.id],
      ]);
      expect(left).toEqual([{ id: other.id }]);
    });

    it('changes nothing if an id is unknown, and names it', async () => {
      const { id } = await person();
      const answer = await setStatus([id, UNKNOWN], 'disabled');
      expectProblem(answer, 400, 'validation_failed');
      expect(answer.body.errors).toMatchObject([{ field: 'user_ids[1]', code: 'unknown_user' }]);
      expect(await statusOf({ id })).toBe('active');
    });

    it('changes nothing if one of the users holds every permission and the caller does not', async () => {
      const limited = await userWith(service, admin, 'batch_limited', 'user:admin');
      const holder = await userWith(service, admin, 'holds_more', 'report:read');
      const { id } = await person();
      expectProblem(await setStatus([id, adminId], 'disabled', limited.client), 403, 'escalation_denied');
      expect(await statusOf({ id })).toBe('active');
      expect((await events('permission.escalate'))[0]).toMatchObject({ target_id: adminId });
      expect((await admin.get('/api/auth/me')).status).toBe(200);
      expect((await setStatus([id, holder.id], 'disabled', limited.client)).body).toEqual({ changed: 2 });
    });

    it('gives hosts the same events for each user as a change of one', async () => {
      const users = await Promise.all(
        ['first_of_two', 'second_of_two'].map(async (username) => {
          const client = await service.signUp(username);
          return (await client.get<{ id: string }>('/api/auth/me')).body.id;
        }),
      );
      const start = await endOfFeed(service, admin);
      await setStatus(users, 'disabled');
      const { items } = await eventsSince(service, admin, start);
      for (const id of users) {
        const types = items.filter(({ subject }) => subject?.id === id).map(({ type }) => type);
        expect(types.sort()).toEqual(['session.ended', 'user.disabled']);
      }
    });

    it('rejects the own account', async () => {
      const { id } = await person();
      expectProblem(await setStatus([id, adminId], 'disabled'), 403, 'escalation_denied');
      expect(await statusOf({ id })).toBe('active');
    });

    it('keeps the last administrator who can log in', async () => {
      const { id: roleId } = await systemRole(admin, 'admin');
      const whole = await userWith(service, admin, 'whole', { permission_id: '*', scope: '*' });
      const without = await person({ role_ids: [roleId] });
      expectProblem(await setStatus([adminId, without.id], 'disabled', whole.client), 409, 'last_admin');
      expect(await statusOf({ id: adminId })).toBe('active');
      expect((await setStatus([without.id], 'disabled', whole.client)).body).toEqual({ changed: 1 });
    });

    it.each([
      [{ user_ids: [], status: 'active' }, 'user_ids: min_items'],
      [{ user_ids: Array.from({ length: 101 }, () => UNKNOWN), status: 'active' }, 'user_ids: max_items'],
      [{ user_ids: ['x'], status: 'active' }, 'user_ids[0]: id'],
      [{ user_ids: [UNKNOWN] }, 'status: required'],
      [{ user_ids: [UNKNOWN], status: 'gone' }, 'status: one_of'],
    ])('rejects a bad field', async (body, problem) => {
      const answer = await admin.post<Problem>('/api/user/batch/status', body);
      expect(answer.body.errors?.map(({ field, code }) => `${field}: ${code}`)).toEqual([problem]);
    });
  });

  describe('GET /api/user/export', () => {
    const rows = (text: string): Record<string, string>[] => {
      const [head, ...lines] = readCsv(text);
      return lines.map(({ cells }) => Object.fromEntries(head!.cells.map((name, place) => [name, cells[place] ?? ''])));
    };

    const exported = async (query: string): Promise<Record<string, string>[]> => {
      const answer = await admin.get<string>(`/api/user/export${query}`);
      if (answer.status !== 200) throw new Error(answer.text);
      return rows(answer.text);
    };

    const failure = async (query: string): Promise<unknown> =>
      (await admin.get<Problem>(`/api/user/export${query}`)).body.errors?.map(({ field, code }) => `${field}: ${code}`);

    it('writes the users of the filter as a file, newest first, with formulas made harmless', async () => {
      const role = await createRole(admin, 'exported');
      const dangerous = await person({
        nickname: '=HYPERLINK("http://x.example","张, 伟")',
        email: 'Export@Example.com',
        phone: '+8613800138009',
        role_ids: [role.id],
      });
      const plain = await person({ role_ids: [role.id] });
      const answer = await admin.get<string>(`/api/user/export?role_id=${role.id}`);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="users.csv"',
      });
      expect(answer.text).toContain(`"'=HYPERLINK(""http`);
      expect(answer.text).toContain(`,'+8613800138009,`);
      expect(answer.text.startsWith('\uFEFFid,username,')).toBe(true);
      expect(rows(answer.text)).toMatchObject([
        { id: plain.id, nickname: '', email: '', phone: '', last_login_at: '' },
        {
          id: dangerous.id,
          nickname: dangerous.nickname,
          email: 'Export@Example.com',
          email_verified: 'false',
          phone: '+8613800138009',
          status: 'active',
          roles: 'iam:exported',
          has_second_factor: 'false',
          created_at: dangerous.created_at,
        },
      ]);
      expect(answer.text).not.toMatch(/argon2/);
    });

    it('writes the selected users only', async () => {
      const [one, two] = [await person(), await person()];
      await person();
      const ids = (await exported(`?ids=${two.id},${one.id},${UNKNOWN}`)).map(({ id }) => id);
      expect(ids).toEqual([one.id, two.id]);
    });

    it('writes every user of many once', async () => {
      await service.query(
        `INSERT INTO user_account (id, username)
         SELECT gen_random_uuid(), 'exported_' || number FROM generate_series(1, 1200) AS number`,
      );
      for (const query of ['?keyword=exported_', '?status=active']) {
        const found = (await exported(query)).filter(({ username }) => username?.startsWith('exported_'));
        expect(new Set(found.map(({ username }) => username)).size).toBe(1_200);
        expect(found).toHaveLength(1_200);
      }
      await service.query(`DELETE FROM user_account WHERE username LIKE 'exported_%'`);
    });

    it('writes only the columns when no user matches', async () => {
      expect(await exported('?keyword=no_such_user_at_all')).toEqual([]);
    });

    it('is audited', async () => {
      const { id } = await person();
      await exported(`?ids=${id}`);
      expect((await events('user.export'))[0]).toMatchObject({
        after: { format: 'csv', ids: [id] },
        actor_name: ADMIN.username,
      });
      await exported('?status=disabled');
      expect((await events('user.export'))[0]).toMatchObject({ after: { format: 'csv', status: 'disabled' } });
    });

    it.each([
      ['?ids=', 'ids: id_list'],
      ['?ids=x', 'ids: id_list'],
      [`?ids=${Array.from({ length: 101 }, () => UNKNOWN).join(',')}`, 'ids: max_length'],
      [`?ids=${UNKNOWN}&status=active`, 'ids: ids_or_filter'],
      ['?page=1', 'page: unknown_field'],
      ['?sort=username', 'sort: unknown_field'],
    ])('rejects %s', async (query, problem) => {
      expect(await failure(query)).toEqual([problem]);
    });

    it('requires user:admin', async () => {
      const outsider = await service.signUp('outsider');
      expectProblem(await outsider.get('/api/user/export'), 403, 'permission_denied');
    });
  });

  describe('what leads into an account', () => {
    it('lists second factors without secrets, and no linked accounts of a user without any', async () => {
      const { id } = await person();
      await service.query(
        `INSERT INTO mfa_totp (id, user_id, secret, confirmed_at) VALUES (gen_random_uuid(), $1, 'sealed', now())`,
        [id],
      );
      const { body, text } = await admin.get<{ items: object[] }>(`/api/user/${id}/mfa`);
      expect(body).toMatchObject({ items: [{ type: 'totp' }], required: false });
      expect(text).not.toContain('sealed');
      expect((await admin.get(`/api/user/${id}/identities`)).body).toEqual({ items: [] });
    });

    it('reports an unknown user', async () => {
      expectProblem(await admin.get(`/api/user/${UNKNOWN}/mfa`), 404, 'not_found');
      expectProblem(await admin.get(`/api/user/${UNKNOWN}/identities`), 404, 'not_found');
    });
  });
});
