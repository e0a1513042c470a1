import { AdminUser, createUser } from '../support/accounts/admin-users';
import { createRole, systemRole } from '../support/accounts/holders';
import { Answer, TestClient } from '../support/service/test-client';
import { ADMIN, PASSWORD, TestService } from '../support/service/test-service';
import { rejected, UserLists, UserQuery } from '../support/accounts/user-lists';
import { withService } from '../support/service/with-service';

/** Users in several table segments, as many as would exist after years. */
const CROWD = 9_000;

describe('GET /api/user', () => {
  let service: TestService;
  let admin: TestClient;
  let crew: AdminUser[];
  let roleId: string;
  const lists = new UserLists(() => admin);

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    roleId = (await createRole(admin, 'crew', 'ship:sail')).id;
    crew = [];
    const people = [
      {
        username: 'anna_1',
        nickname: 'Käpt’n',
        email: 'Anna@Sea.example',
        phone: '+8613800138000',
        role_ids: [roleId],
      },
      { username: 'ANNABEL', nickname: '100%_sure', email: 'bel@sea.example', email_verified: true },
      { username: 'annXx', nickname: 'a\\b', role_ids: [roleId] },
      { username: 'bob', nickname: 'anna the second', email: 'anna2@example.com', password: PASSWORD },
      { username: '138001', nickname: 'Привет 张伟' },
    ];
    for (const { username, ...more } of people) crew.push(await createUser(admin, username, more));
    await admin.patch(`/api/user/${crew[2]!.id}`, { status: 'disabled' });
    crew[2] = (await admin.get<AdminUser>(`/api/user/${crew[2]!.id}`)).body;
  });

  const found = async (query: UserQuery): Promise<string[]> => {
    const [byPage, byCursor] = [await lists.page(query), await lists.cursorPage(query)];
    expect(byCursor.items).toEqual(byPage.items);
    expect(byPage.total).toBe(byPage.items.length);
    return byPage.items.map(({ username }) => username);
  };

  it('returns all users, newest first, with all members and no secrets', async () => {
    const all = await lists.page();
    expect(all).toMatchObject({ total: 6, page: 1, page_size: 20 });
    expect(all.total_is_estimate).toBeUndefined();
    expect(all.items.slice(0, 5)).toEqual([...crew].reverse());
    expect(all.items[5]).toMatchObject({ username: ADMIN.username, last_login_at: expect.any(String) as string });
    expect(JSON.stringify(all)).not.toMatch(/argon2|hash"|segment|permissions|email_key|emailKey/);
  });

  it.each([
    ['anna', ['bob', 'ANNABEL', 'anna_1']],
    ['ANNA', ['bob', 'ANNABEL', 'anna_1']],
    ['ann', ['bob', 'annXx', 'ANNABEL', 'anna_1']],
    ['anna_', ['anna_1']],
    ['anna_1', ['anna_1']],
    ['anna@sea', ['anna_1']],
    ['KÄPT', ['anna_1']],
    ['привет', ['138001']],
    ['+8613800138000', ['anna_1']],
    ['13800138000', ['anna_1']],
    ['138 0013 8000', ['anna_1']],
    ['138001', ['138001']],
    ['+86138001', []],
    ['nna', ['bob', 'ANNABEL', 'anna_1']],
    ['e SEC', ['bob']],
    ['sea.example', ['ANNABEL', 'anna_1']],
    ['BEL', ['ANNABEL']],
    ['ИВЕТ', ['138001']],
    ['张', ['138001']],
    ['伟', ['138001']],
    ['张伟', ['138001']],
    ['伟张', []],
    ['’', ['anna_1']],
    ['b', ['bob', 'ANNABEL']],
    ['n', []],
    ['%', []],
    ['0%', ['ANNABEL']],
    ['_', []],
    ['%%%%%%%%%%', []],
    ['a%', []],
    ['ann_x', []],
    ['100%', ['ANNABEL']],
    ['100%_', ['ANNABEL']],
    ['100__', []],
    ['a\\', ['annXx']],
    ['a\\b', ['annXx']],
    ['a\\\\', []],
    ['\\', []],
    ["' OR 1=1 --", []],
    [' anna', []],
    ['anna the second', ['bob']],
    ['a'.repeat(254), []],
  ])('finds by the part %j exactly %j', async (keyword, usernames) => {
    expect(await found({ keyword })).toEqual(usernames);
  });

  it('ignores an empty keyword', async () => {
    expect((await lists.page({ keyword: '' })).total).toBe(6);
  });

  it('combines status, role and keyword', async () => {
    expect(await found({ status: 'disabled' })).toEqual(['annXx']);
    expect(await found({ role_id: roleId })).toEqual(['annXx', 'anna_1']);
    expect(await found({ role_id: roleId, status: 'active' })).toEqual(['anna_1']);
    expect(await found({ role_id: roleId, keyword: 'annx' })).toEqual(['annXx']);
    expect(await found({ role_id: roleId, keyword: 'bob' })).toEqual([]);
    expect(await found({ role_id: roleId, keyword: 'ann', status: 'disabled' })).toEqual(['annXx']);
    expect(await found({ keyword: 'ann', status: 'disabled' })).toEqual(['annXx']);
    expect(await found({ role_id: (await systemRole(admin, 'admin')).id })).toEqual([ADMIN.username]);
    expect(await found({ role_id: '01900000-0000-7000-8000-00000000dead' })).toEqual([]);
  });

  it.each([
    [{ keyword: 'a\0b' }, 'keyword: well_formed'],
    [{ keyword: '\0' }, 'keyword: well_formed'],
    [{ keyword: 'a'.repeat(255) }, 'keyword: max_length'],
    [{ keyword: '%'.repeat(65_536) }, 'keyword: max_length'],
    [{ status: '' }, 'status: one_of'],
    [{ status: 'ACTIVE' }, 'status: one_of'],
    [{ role_id: 'crew' }, 'role_id: id'],
    [{ role_id: '' }, 'role_id: id'],
    [{ page: 0 }, 'page: min'],
    [{ page: '1e9' }, 'page: type_integer'],
    [{ page: 'NaN' }, 'page: type_integer'],
    [{ page_size: 0 }, 'page_size: min'],
    [{ page_size: 101 }, 'page_size: max'],
    [{ page_size: -1 }, 'page_size: min'],
    [{ page: 1, cursor: '' }, 'page: page_or_cursor'],
    [{ order: 'username' }, 'order: unknown_field'],
    [{ sort: 'id; DROP TABLE user_account' }, 'sort: one_of'],
    [{ sort: 'last_login_at' }, 'sort: one_of'],
    [{ sort: 'username', keyword: 'ann' }, 'sort: sort_or_keyword'],
    [{ details: 'yes' }, 'details: type_boolean'],
  ])('rejects %j', async (query, problem) => {
    expect(await lists.failure(query)).toEqual(rejected(problem));
  });

  it('rejects a duplicate parameter', async () => {
    for (const query of ['keyword=a&keyword=b', 'keyword[]=a', 'keyword[$ne]=a']) {
      expect((await admin.get(`/api/user?${query}`)).status).toBe(400);
    }
  });

  it('returns page after page, and an empty one beyond the last', async () => {
    const pages = [await lists.page({ page: 1, page_size: 4 }), await lists.page({ page: 2, page_size: 4 })];
    expect(pages.map(({ items }) => items.length)).toEqual([4, 2]);
    expect(pages.flatMap(({ items }) => items)).toEqual((await lists.page()).items);
    expect(await lists.page({ page: 3, page_size: 4 })).toEqual({ items: [], total: 6, page: 3, page_size: 4 });
    expect((await lists.page({ page: 1_000_000_000, page_size: 100, keyword: 'ann' })).items).toEqual([]);
  });

  describe('by cursor', () => {
    it.each([{}, { keyword: 'ann' }, { status: 'active' }, { keyword: 'ann', status: 'active' }])(
      'returns every user of %j once',
      async (query) => {
        const all = (await lists.page({ ...query, page_size: 100 })).items;
        for (const page_size of [1, 2, 3]) expect(await lists.walk({ ...query, page_size })).toEqual(all);
      },
    );

    it('returns the users of a role', async () => {
      expect((await lists.walk({ role_id: roleId, page_size: 1 })).map(({ username }) => username)).toEqual([
        'annXx',
        'anna_1',
      ]);
      const narrow = { role_id: roleId, keyword: 'ann', page_size: 1 };
      expect((await lists.walk(narrow)).map(({ username }) => username)).toEqual(['annXx', 'anna_1']);
    });

    it('rejects a cursor that was changed, made for another list, or forged', async () => {
      const { next_cursor: cursor } = await lists.cursorPage({ page_size: 1, keyword: 'ann' });
      const [data = '', mac = ''] = (cursor ?? '').split('.');
      const forged = Buffer.from('["999999999","ffffffff-ffff-7fff-8fff-ffffffffffff"]').toString('base64url');
      const hostile = [
        { keyword: 'ann', cursor: `${forged}.${mac}` },
        { keyword: 'ann', cursor: `${data}.${mac.slice(0, -1)}` },
        { keyword: 'ann', cursor: `${data}A.${mac}` },
        { keyword: 'ann', cursor: data },
        { keyword: 'ann', cursor: "' OR 1=1" },
        { keyword: 'bob', cursor: cursor ?? '' },
        { cursor: cursor ?? '' },
        { keyword: 'ann', status: 'active', cursor: cursor ?? '' },
        { keyword: 'ann', role_id: roleId, cursor: cursor ?? '' },
      ];
      for (const query of hostile) expect(await lists.failure(query)).toEqual(rejected('cursor: cursor'));
      expect(await lists.failure({ cursor: 'x'.repeat(2_001) })).toEqual(rejected('cursor: max_length'));
    });

    it('tolerates users who are created and deleted in between', async () => {
      const first = await lists.cursorPage({ page_size: 2 });
      const newest = await createUser(admin, 'just_arrived');
      await admin.delete(`/api/user/${first.items[1]!.id}`);
      const rest = await lists.cursorPage({ page_size: 100, cursor: first.next_cursor ?? '' });
      expect(rest.items.map(({ id }) => id)).not.toContain(newest.id);
      expect(rest.items).toHaveLength(4);
      await admin.delete(`/api/user/${newest.id}`);
    });
  });

  it('requires user:admin', async () => {
    const nobody = await service.signUp('nobody');
    const answers: Answer[] = [await nobody.get('/api/user'), await nobody.get(`/api/user/${crew[0]!.id}`)];
    expect(answers.map(({ body }) => body)).toMatchObject([
      { code: 'permission_denied' },
      { code: 'permission_denied' },
    ]);
  });

  describe('with many users', () => {
    beforeAll(async () => {
      await service.query(
        `INSERT INTO user_account (id, username, nickname)
         SELECT ('0190' || lpad(to_hex(number), 4, '0') || '-0000-7000-8000-000000000000')::uuid, 'crowd_' || number,
                CASE WHEN number % 2 = 0 THEN 'Even ' || number ELSE '' END
         FROM generate_series(1, ${CROWD}) AS number`,
      );
    });

    it('finds few among many, returns the newest of many first, and each once', async () => {
      expect(await found({ keyword: 'crowd_8999' })).toEqual(['crowd_8999']);
      expect((await lists.page({ keyword: 'CROWD_', page_size: 2 })).items.map(({ username }) => username)).toEqual([
        'crowd_9000',
        'crowd_8999',
      ]);
      const oldest = await lists.cursorPage({ keyword: 'crowd_1', page_size: 100 });
      expect(oldest.items[0]!.username).toBe('crowd_1999');
      const [even] = (await lists.page({ keyword: 'even', page_size: 1, page: 4_000 })).items;
      expect(even!.username).toBe('crowd_1002');
    });

    it('pages across segment boundaries', async () => {
      const seen = await lists.walk({ keyword: 'crowd_', page_size: 100 });
      expect(seen.map(({ username }) => username)).toEqual(
        Array.from({ length: CROWD }, (_, index) => `crowd_${CROWD - index}`),
      );
    });

    it('counts exactly to ten thousand and estimates beyond', async () => {
      expect((await lists.page({ keyword: 'crowd_', page_size: 1 })).total).toBe(CROWD);
      expect((await lists.page({ keyword: 'crowd_', page_size: 1 })).total_is_estimate).toBeUndefined();
      await service.query(
        `INSERT INTO user_account (id, username) SELECT gen_random_uuid(), 'crowd_more_' || number FROM generate_series(1, 3000) AS number`,
      );
      await service.query('ANALYZE user_account');
      for (const query of [{}, { keyword: 'crowd_' }, { status: 'active' }]) {
        const { total, total_is_estimate } = await lists.page({ ...query, page_size: 1 });
        expect(total_is_estimate).toBe(true);
        expect(total).toBeGreaterThan(10_000);
        expect(total).toBeLessThan(15_000);
      }
    });
  });
});
