import { expectProblem } from '../support/service/expect-problem';
import { createGroup, GroupAnswer } from '../support/accounts/groups';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Page {
  items: { id: string; username: string }[];
  total: number;
  next_cursor: string | null;
}

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';

let service: TestService;
let admin: TestClient;

withService(async (started) => {
  service = started;
  admin = await service.admin();
});

const audited = (action: string, id: string): Promise<{ before: unknown; after: Record<string, unknown> }[]> =>
  service.query('SELECT before, after FROM audit_event WHERE action = $1 AND target_id = $2 ORDER BY id', [action, id]);

const problemsOf = ({ status, body }: Answer<Problem>): unknown => [
  status,
  (body.errors ?? []).map(({ field, code }) => `${field} ${code}`),
];

describe('members of a group', () => {
  let group: GroupAnswer;
  let groups = 0;

  beforeEach(async () => {
    group = await createGroup(admin, `Members ${groups++}`);
  });

  async function accounts(prefix: string, count: number): Promise<string[]> {
    const rows = await service.query<{ id: string }>(
      `INSERT INTO user_account (id, username)
       SELECT gen_random_uuid(), $1 || '_' || lpad(number::text, 5, '0') FROM generate_series(1, $2::int) AS number
       RETURNING id, username`,
      [prefix, count],
    );
    return rows.map(({ id }) => id);
  }

  const users = (method: 'post' | 'put', ids: string[]): Promise<Answer<Problem>> =>
    admin[method]<Problem>(`/api/group/${group.id}/users`, { user_ids: ids });

  it('are added, replaced as a whole and removed, and audited each time', async () => {
    const [ann, bob, cid] = (await accounts('changed', 3)) as [string, string, string];
    expect(await users('post', [ann, ann, bob])).toMatchObject({ status: 200, body: { added: 2 } });
    expect(await users('post', [ann])).toMatchObject({ status: 200, body: { added: 0 } });
    expect((await users('put', [bob, cid])).body).toEqual({ added: 1, removed: 1 });
    expect((await users('put', [cid, bob])).body).toEqual({ added: 0, removed: 0 });
    expect((await admin.get<GroupAnswer>(`/api/group/${group.id}`)).body.member_count).toBe(2);
    expect((await admin.delete(`/api/group/${group.id}/users/${bob}`)).status).toBe(204);
    expectProblem(await admin.delete(`/api/group/${group.id}/users/${bob}`), 404, 'not_found');
    expect((await users('put', [])).body).toEqual({ added: 0, removed: 1 });
    const added = await audited('group.add_users', group.id);
    expect(added.map(({ after }) => [after['added'], [...(after['added_ids'] as string[])].sort()])).toEqual([
      [2, [ann, bob].sort()],
      [1, [cid]],
    ]);
    expect(await audited('group.remove_users', group.id)).toMatchObject(
      [ann, bob, cid].map((id) => ({ before: null, after: { removed: 1, removed_ids: [id] } })),
    );
  });

  it('are removed together, others are ignored, and one entry names them', async () => {
    const [ann, bob, cid] = (await accounts('parting', 3)) as [string, string, string];
    await users('put', [ann, bob]);
    const remove = (ids: string[]): Promise<Answer<Problem>> =>
      admin.post<Problem>(`/api/group/${group.id}/users/remove`, { user_ids: ids });
    expect(await remove([ann, cid, ann])).toMatchObject({ status: 200, body: { removed: 1 } });
    expect(await remove([ann])).toMatchObject({ status: 200, body: { removed: 0 } });
    expect(await remove([cid, UNKNOWN])).toMatchObject({ status: 200, body: { removed: 0 } });
    expect(problemsOf(await remove(Array<string>(101).fill(bob)))).toEqual([400, ['user_ids max_items']]);
    expectProblem(await admin.post(`/api/group/${UNKNOWN}/users/remove`, { user_ids: [ann] }), 404, 'not_found');
    const { body } = await admin.get<Page>(`/api/group/${group.id}/users`);
    expect(body.items.map(({ id }) => id)).toEqual([bob]);
    const entries = await audited('group.remove_users', group.id);
    expect(entries.map(({ after }) => after)).toEqual([{ removed: 1, removed_ids: [ann] }]);
  });

  it('stay unchanged when one id is unknown, which the error names', async () => {
    const [ann, bob] = (await accounts('atomic', 2)) as [string, string];
    await users('put', [ann]);
    for (const method of ['post', 'put'] as const) {
      expect(problemsOf(await users(method, [bob, UNKNOWN]))).toEqual([400, ['user_ids[1] unknown_user']]);
    }
    const { body } = await admin.get<Page>(`/api/group/${group.id}/users`);
    expect(body.items.map(({ id }) => id)).toEqual([ann]);
  });

  it('are listed by username, by page and by cursor', async () => {
    const ids = await accounts('listed', 3);
    await users('put', ids);
    const path = `/api/group/${group.id}/users?page_size=2`;
    const [first, second] = [(await admin.get<Page>(path)).body, (await admin.get<Page>(`${path}&page=2`)).body];
    expect([...first.items, ...second.items].map(({ username }) => username)).toEqual([
      'listed_00001',
      'listed_00002',
      'listed_00003',
    ]);
    expect([first.total, second.total]).toEqual([3, 3]);
    const { body: start } = await admin.get<Page>(`${path}&cursor=`);
    const { body: rest } = await admin.get<Page>(`${path}&cursor=${start.next_cursor}`);
    expect(rest.items).toEqual(second.items);
    expect(rest.next_cursor).toBeNull();
    expectProblem(await admin.get(`/api/group/${UNKNOWN}/users`), 404, 'not_found');
  });

  it('are at most 10,000 in a replacement and 100 in an addition', async () => {
    const ids = await accounts('crowd', 10_001);
    expect(problemsOf(await users('put', ids))).toEqual([400, ['user_ids max_items']]);
    expect((await users('put', ids.slice(1))).body).toEqual({ added: 10_000, removed: 0 });
    expect(problemsOf(await users('post', ids.slice(0, 101)))).toEqual([400, ['user_ids max_items']]);
  });

  it('are all named in the audit log, at most 100 in an entry', async () => {
    const ids = await accounts('named', 201);
    const sorted = [...ids].sort();
    const entries = async (action: string, field: string): Promise<string[][]> =>
      (await audited(`group.${action}`, group.id)).map(({ after }) => after[field] as string[]);
    await users('put', ids);
    await users('put', []);
    for (const [action, field] of [
      ['add_users', 'added_ids'],
      ['remove_users', 'removed_ids'],
    ] as const) {
      const named = await entries(action, field);
      expect(named.map(({ length }) => length)).toEqual([100, 100, 1]);
      expect(named.flat().sort()).toEqual(sorted);
    }
  });
});
