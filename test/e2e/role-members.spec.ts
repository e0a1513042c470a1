import { createRole, userWith, RoleAnswer, systemRole } from '../support/accounts/holders';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';
import { withService } from '../support/service/with-service';

interface PublicUser {
  id: string;
  username: string;
}
interface Page {
  items: PublicUser[];
  total: number;
}
interface CursorPage {
  items: PublicUser[];
  next_cursor: string | null;
  page_size: number;
}
interface Change {
  added: number;
  removed: number;
  total: number;
}

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';

describe('members of a role', () => {
  let service: TestService;
  let admin: TestClient;
  let role: RoleAnswer;
  let roles = 0;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  beforeEach(async () => {
    role = await createRole(admin, `members_${roles++}`, { permission_id: 'report:read', level: 1 });
  });

  /** Inserts accounts directly into the table, with ids in the order of their names. */
  async function accounts(prefix: string, count: number): Promise<string[]> {
    const rows = await service.query<{ id: string }>(
      `INSERT INTO user_account (id, username)
       SELECT gen_random_uuid(), $1 || '_' || lpad(number::text, 5, '0') FROM generate_series(1, $2::int) AS number
       RETURNING id, username`,
      [prefix, count],
    );
    return rows.map(({ id }) => id);
  }

  const replace = <T = Change>(ids: readonly string[], client = admin): Promise<Answer<T>> =>
    client.put<T>(`/api/role/${role.id}/users`, { user_ids: ids });

  const stored = async (): Promise<string[]> =>
    (await service.query<{ user_id: string }>('SELECT user_id FROM user_role WHERE role_id = $1', [role.id]))
      .map(({ user_id }) => user_id)
      .sort();

  it('are replaced as a whole, with the number of added and removed users', async () => {
    const [ann, bob, cid] = (await accounts('whole', 3)) as [string, string, string];
    expect(await replace([ann, bob])).toMatchObject({ status: 200, body: { added: 2, removed: 0, total: 2 } });
    expect((await replace([bob, cid])).body).toEqual({ added: 1, removed: 1, total: 2 });
    expect((await replace([cid, bob])).body).toEqual({ added: 0, removed: 0, total: 2 });
    expect((await replace([bob, bob])).body).toEqual({ added: 0, removed: 1, total: 1 });
    expect(await stored()).toEqual([bob]);
    expect((await replace([])).body).toEqual({ added: 0, removed: 1, total: 0 });
    expect(await stored()).toEqual([]);
  });

  it('are audited with numbers and names of the change, but not without a change', async () => {
    const [ann, bob] = (await accounts('audited', 2)) as [string, string];
    await replace([ann]);
    await replace([ann]);
    await replace([bob]);
    const events = await service.query(
      `SELECT actor_name, before, after FROM audit_event WHERE action = 'role.replace_users' AND target_id = $1 ORDER BY id`,
      [role.id],
    );
    expect(events).toEqual([
      {
        actor_name: 'admin',
        before: { user_count: 0 },
        after: { user_count: 1, added: 1, removed: 0, added_ids: [ann], removed_ids: [] },
      },
      {
        actor_name: 'admin',
        before: { user_count: 1 },
        after: { user_count: 1, added: 1, removed: 1, added_ids: [bob], removed_ids: [ann] },
      },
    ]);
  });

  it('stay unchanged when one id is unknown, which the error names', async () => {
    const [ann, bob] = (await accounts('atomic', 2)) as [string, string];
    await replace([ann]);
    const answer = await replace<Problem>([bob, UNKNOWN, ann]);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      { field: 'user_ids[1]', code: 'unknown_user', detail: expect.stringContaining(UNKNOWN) as string },
    ]);
    expect(await stored()).toEqual([ann]);
  });

  it.each([
    ['malformed', ['nonsense'], 'id'],
    ['in capitals', [UNKNOWN.toUpperCase()], 'id'],
    ['a number', [7], 'id'],
  ])('are rejected with an id that is %s', async (_, ids, code) => {
    const answer = await admin.put<Problem>(`/api/role/${role.id}/users`, { user_ids: [UNKNOWN, ...ids] });
    expect(answer.body.errors).toMatchObject([{ field: 'user_ids[1]', code }]);
  });

  it('are limited to 10,000 in one request, which may exceed 64 KiB', async () => {
    const ids = await accounts('crowd', 10_001);
    expect((await replace(ids.slice(1))).body).toEqual({ added: 10_000, removed: 0, total: 10_000 });
    expect((await replace(ids.slice(0, 10_000))).body).toEqual({ added: 1, removed: 1, total: 10_000 });
    const tooMany = await replace<Problem>(ids);
    expect(tooMany.body.errors).toMatchObject([{ field: 'user_ids', code: 'max_items' }]);
    expect((await admin.get<Page>(`/api/role/${role.id}/users?page_size=1`)).body.total).toBe(10_000);
    await service.query('INSERT INTO user_role (role_id, user_id) VALUES ($1, $2)', [role.id, ids[10_000]]);
    const estimated = await admin.get<Page & { total_is_estimate: boolean }>(`/api/role/${role.id}/users?page_size=1`);
    expect(estimated.body.total_is_estimate).toBe(true);
    expect(estimated.body.total).toBeGreaterThan(10_000);
    const { body } = await admin.get<RoleAnswer>(`/api/role/${role.id}`);
    expect(body.user_count).toBeGreaterThan(10_000);
  });

  it('are accepted in a body of up to 1 MiB, where other routes allow 64 KiB', async () => {
    const filler = (bytes: number): string => `{"user_ids":[],"filler":"${'x'.repeat(bytes)}"}`;
    const json = { headers: { 'content-type': 'application/json' } };
    const send = (path: string, bytes: number) => admin.send('PUT', path, { raw: filler(bytes), ...json });
    expect(await send(`/api/role/${role.id}/users`, 900 * 1024)).toMatchObject({ status: 400 });
    expect(await send(`/api/role/${role.id}/users`, 1024 * 1024)).toMatchObject({ status: 413 });
    expect(await send('/api/auth/me/password', 64 * 1024)).toMatchObject({ status: 413 });
  });

  it('are added to the present ones, each once', async () => {
    const [ann, bob] = (await accounts('added', 2)) as [string, string];
    const add = (ids: string[]): Promise<Answer> => admin.post(`/api/role/${role.id}/users`, { user_ids: ids });
    expect(await add([ann])).toMatchObject({ status: 200, body: { added: 1 } });
    expect(await add([bob, ann, bob])).toMatchObject({ status: 200, body: { added: 1 } });
    expect(await add([bob])).toMatchObject({ status: 200, body: { added: 0 } });
    expect(await stored()).toEqual([ann, bob].sort());
    const events = await service.query(
      `SELECT before, after FROM audit_event WHERE action = 'role.replace_users' AND target_id = $1 ORDER BY id`,
      [role.id],
    );
    expect(events).toEqual([
      { before: { user_count: 0 }, after: { user_count: 1, added: 1, removed: 0, added_ids: [ann], removed_ids: [] } },
      { before: { user_count: 1 }, after: { user_count: 2, added: 1, removed: 0, added_ids: [bob], removed_ids: [] } },
    ]);
  });

  it('are not added when one id is unknown, more than 100 are given, or the role is a system role', async () => {
    const [ann] = (await accounts('refused', 1)) as [string];
    const add = (id: string, ids: string[]): Promise<Answer<Problem>> =>
      admin.post<Problem>(`/api/role/${id}/users`, { user_ids: ids });
    expect((await add(role.id, [ann, UNKNOWN])).body.errors).toMatchObject([{ field: 'user_ids[1]' }]);
    expect((await add(role.id, Array<string>(101).fill(ann))).body.errors).toMatchObject([
      { field: 'user_ids', code: 'max_items' },
    ]);
    const { id } = await systemRole(admin, 'user');
    expectProblem(await add(id, [ann]), 403, 'system_role_protected');
    expectProblem(await add(UNKNOWN, [ann]), 404, 'not_found');
    expect(await stored()).toEqual([]);
  });

  it('are removed one by one, and only if they are members', async () => {
    const [ann, bob] = (await accounts('leaving', 2)) as [string, string];
    await replace([ann, bob]);
    const remove = (id: string): Promise<Answer> => admin.delete(`/api/role/${role.id}/users/${id}`);
    expect((await remove(ann)).status).toBe(204);
    expect((await remove(ann)).status).toBe(404);
    expect((await remove(UNKNOWN)).status).toBe(404);
    expect(await stored()).toEqual([bob]);
  });

  it('are removed together, and others are ignored', async () => {
    const [ann, bob, cid] = (await accounts('parting', 3)) as [string, string, string];
    await replace([ann, bob]);
    const remove = (ids: readonly string[]): Promise<Answer<Problem>> =>
      admin.post<Problem>(`/api/role/${role.id}/users/remove`, { user_ids: ids });
    expect(await remove([ann, cid, ann])).toMatchObject({ status: 200, body: { removed: 1 } });
    expect(await remove([ann])).toMatchObject({ status: 200, body: { removed: 0 } });
    expect(await remove([cid, UNKNOWN])).toMatchObject({ status: 200, body: { removed: 0 } });
    expect((await remove(Array<string>(101).fill(bob))).body.errors).toMatchObject([{ code: 'max_items' }]);
    expect(await stored()).toEqual([bob]);
    const [last] = await service.query(
      `SELECT before, after FROM audit_event WHERE action = 'role.replace_users' AND target_id = $1 ORDER BY id DESC LIMIT 1`,
      [role.id],
    );
    const removal = { user_count: 1, added: 0, removed: 1, added_ids: [], removed_ids: [ann] };
    expect(last).toEqual({ before: { user_count: 2 }, after: removal });
    const { id } = await systemRole(admin, 'user');
    expectProblem(await admin.post(`/api/role/${id}/users/remove`, { user_ids: [ann] }), 403, 'system_role_protected');
    expectProblem(await admin.post(`/api/role/${UNKNOWN}/users/remove`, { user_ids: [ann] }), 404, 'not_found');
  });

  it('are removed together only by a caller who holds the permissions of the role and of each', async () => {
    const report = { permission_id: 'report:read', level: 1 };
    const clerk = await userWith(service, admin, 'remover', 'role:update', report);
    const above = await userWith(service, admin, 'above_remover', 'audit:read');
    const [ann] = (await accounts('kept', 1)) as [string];
    await replace([ann, above.id]);
    const path = `/api/role/${role.id}/users/remove`;
    expectProblem(await clerk.client.post(path, { user_ids: [ann, above.id] }), 403, 'escalation_denied');
    expect(await stored()).toEqual([ann, above.id].sort());
    expect(await clerk.client.post(path, { user_ids: [ann] })).toMatchObject({ status: 200, body: { removed: 1 } });
  });

  it('are changed only by a caller who holds the permissions of the role and of the users', async () => {
    const clerk = await userWith(service, admin, 'clerk', 'role:update', {
      permission_id: 'report:read',
      level: 1,
    });
    const above = await userWith(service, admin, 'above', 'audit:read');
    const [ann] = (await accounts('plain', 1)) as [string];
    const path = `/api/role/${role.id}/users`;
    const add = (id: string): Promise<Answer> => clerk.client.post(path, { user_ids: [id] });
    expectProblem(await add(above.id), 403, 'escalation_denied');
    expect((await add(ann)).status).toBe(200);
    await admin.post(path, { user_ids: [above.id] });
    expectProblem(await clerk.client.delete(`${path}/${above.id}`), 403, 'escalation_denied');
    expect((await clerk.client.delete(`${path}/${ann}`)).status).toBe(204);
    expect(await stored()).toEqual([above.id]);
  });

  it('equal one of the given sets when several replace them concurrently', async () => {
    const ids = await accounts('parallel', 40);
    const sets = [ids.slice(0, 20), ids.slice(10, 30), ids.slice(20, 40), []];
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(sets.map((set) => replace(set)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const now = await stored();
      expect(sets.map((set) => [...set].sort())).toContainEqual(now);
    }
  });

  it('have the permissions of the role from the next request until they are removed', async () => {
    const { id, client } = await userWith(service, admin, 'member');
    const allowed = async (): Promise<number> => (await client.get('/api/auth/verify?permission=report:read')).status;
    expect(await allowed()).toBe(403);
    await replace([id]);
    expect(await allowed()).toBe(204);
    await replace([]);
    expect(await allowed()).toBe(403);
  });

  describe('list', () => {
    let ids: string[];

    beforeEach(async () => {
      ids = await accounts(`Listed${roles}`, 5);
      await service.query(`UPDATE user_account SET nickname = 'Nick' WHERE id = $1`, [ids[0]]);
      await replace(ids);
    });

    it('is sorted by username and shows public fields', async () => {
      const { body } = await admin.get<Page>(`/api/role/${role.id}/users?page=2&page_size=2`);
      expect(body).toMatchObject({ items: [{ id: ids[2] }, { id: ids[3] }], total: 5, page: 2, page_size: 2 });
      const first = await admin.get<Page>(`/api/role/${role.id}/users`);
      expect(first.body.items[0]).toEqual({
        id: ids[0],
        username: `Listed${roles}_00001`,
        nickname: 'Nick',
        avatar: '',
        name: 'Nick',
        icon: '',
      });
      expect(first.body).not.toHaveProperty('total_is_estimate');
    });

    it('returns each member once by cursor', async () => {
      const seen: string[] = [];
      let cursor: string | null = '';
      for (let requests = 0; cursor !== null && requests < 10; requests++) {
        const path: string = `/api/role/${role.id}/users?page_size=2&cursor=${encodeURIComponent(cursor)}`;
        const { body }: Answer<CursorPage> = await admin.get<CursorPage>(path);
        expect(body).not.toHaveProperty('total');
        seen.push(...body.items.map(({ id }) => id));
        cursor = body.next_cursor;
      }
      expect(cursor).toBeNull();
      expect(seen).toEqual(ids);
    });

    it('counts exactly to ten thousand and estimates beyond, also with the role', async () => {
      const join = async (ids: readonly string[]): Promise<void> => {
        await service.query('INSERT INTO user_role (role_id, user_id) SELECT $1, unnest($2::uuid[])', [role.id, ids]);
        await service.query('ANALYZE user_role');
      };
      const counted = async (): Promise<{ total: number; isEstimate: boolean; ofRole: number }> => {
        const list = await admin.get<{ total: number; total_is_estimate?: boolean }>(`/api/role/${role.id}/users`);
        const { total, total_is_estimate: isEstimate = false } = list.body;
        const { user_count: ofRole } = (await admin.get<RoleAnswer>(`/api/role/${role.id}`)).body;
        return { total, isEstimate, ofRole };
      };
      await join(await accounts('many', 10_000 - (await stored()).length));
      expect(await counted()).toEqual({ total: 10_000, isEstimate: false, ofRole: 10_000 });
      await join(await accounts('more', 5_000));
      const { total, isEstimate, ofRole } = await counted();
      expect([isEstimate, ofRole]).toEqual([true, total]);
      expect([total > 13_000, total < 17_000]).toEqual([true, true]);
    });

    it('rejects a cursor of another role, a changed one, or one beside a page', async () => {
      const { body } = await admin.get<CursorPage>(`/api/role/${role.id}/users?page_size=2&cursor=`);
      const other = await createRole(admin, `other_${roles}`);
      const rejected = async (path: string): Promise<unknown> => (await admin.get<Problem>(path)).body.errors;
      const cursor = encodeURIComponent(body.next_cursor!);
      expect(await rejected(`/api/role/${other.id}/users?cursor=${cursor}`)).toMatchObject([{ code: 'cursor' }]);
      expect(await rejected(`/api/role/${role.id}/users?cursor=${cursor.slice(0, -1)}`)).toMatchObject([
        { code: 'cursor' },
      ]);
      expect(await rejected(`/api/role/${role.id}/users?cursor=&page=1`)).toMatchObject([{ code: 'page_or_cursor' }]);
    });
  });
});
