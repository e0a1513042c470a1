import { AdminUser, createUser } from '../support/accounts/admin-users';
import { createRole } from '../support/accounts/holders';
import { TestClient } from '../support/service/test-client';
import { ADMIN, TestService } from '../support/service/test-service';
import { rejected, UserLists, UserQuery } from '../support/accounts/user-lists';
import { withService } from '../support/service/with-service';

describe('order and details of GET /api/user', () => {
  let service: TestService;
  let admin: TestClient;
  let roleId: string;
  const lists = new UserLists(() => admin);

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    roleId = (await createRole(admin, 'crew', 'ship:sail')).id;
    const crew: AdminUser[] = [];
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
      { username: 'bob', nickname: 'anna the second', email: 'anna2@example.com' },
      { username: '138001', nickname: 'Привет 张伟' },
    ];
    for (const { username, ...more } of people) crew.push(await createUser(admin, username, more));
    await admin.patch(`/api/user/${crew[2]!.id}`, { status: 'disabled' });
  });

  describe('in another order', () => {
    const usernames = async (query: UserQuery): Promise<string[]> => {
      const names = (await lists.page(query)).items.map(({ username }) => username);
      const byCursor = await lists.walk({ ...query, page_size: 2 });
      expect(byCursor.map(({ username }) => username)).toEqual(names);
      return names;
    };

    it.each([
      [{}, ['138001', ADMIN.username, 'anna_1', 'ANNABEL', 'annXx', 'bob']],
      [{ status: 'active' }, ['138001', ADMIN.username, 'anna_1', 'ANNABEL', 'bob']],
    ])('sorts %j by username, ignoring case', async (query, names) => {
      // An underscore comes before letters in collation C.
      expect(await usernames({ ...query, sort: 'username' })).toEqual(names);
      expect(await usernames({ ...query, sort: '-username' })).toEqual([...names].reverse());
    });

    it('sorts by creation, oldest first', async () => {
      const newestFirst = await usernames({ sort: '-created_at' });
      expect(await usernames({ sort: 'created_at' })).toEqual([...newestFirst].reverse());
    });

    it('sorts the users of a role', async () => {
      expect(await usernames({ role_id: roleId, sort: 'username' })).toEqual(['anna_1', 'annXx']);
      expect(await usernames({ role_id: roleId, sort: 'created_at' })).toEqual(['anna_1', 'annXx']);
    });

    it('accepts a search in its own order', async () => {
      expect((await lists.page({ keyword: 'ann', sort: '-created_at' })).total).toBe(4);
    });

    it('rejects a cursor of another order', async () => {
      const { next_cursor } = await lists.cursorPage({ sort: 'username', page_size: 1 });
      expect(await lists.failure({ sort: '-username', cursor: next_cursor ?? '' })).toEqual(rejected('cursor: cursor'));
      expect(await lists.failure({ cursor: next_cursor ?? '' })).toEqual(rejected('cursor: cursor'));
    });
  });

  it('adds the first roles, their number and the second factor on request', async () => {
    const { items } = await lists.page({ details: 'true' });
    const find = (username: string): unknown => items.find((user) => user.username === username);
    expect(find('anna_1')).toMatchObject({
      roles: [{ id: roleId, scope: 'iam', name: 'crew' }],
      role_count: 1,
      has_second_factor: false,
    });
    expect(find('bob')).toMatchObject({ roles: [], role_count: 0, has_second_factor: false });
    const totp = `INSERT INTO mfa_totp (id, user_id, secret, confirmed_at) SELECT gen_random_uuid(), id, 'x', $2::timestamptz
      FROM user_account WHERE username = $1`;
    await service.query(totp, ['bob', null]);
    await service.query(totp, ['ANNABEL', new Date().toISOString()]);
    const after = (await lists.cursorPage({ details: 'true', keyword: 'anna' })).items;
    expect(after.map((user) => [user.username, (user as { has_second_factor?: boolean }).has_second_factor])).toEqual([
      ['bob', false],
      ['ANNABEL', true],
      ['anna_1', false],
    ]);
    await service.query('DELETE FROM mfa_totp');
  });

  it('shows ten roles of many', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 11; number++) ids.push((await createRole(admin, `watch_${10 + number}`)).id);
    const { id } = await createUser(admin, 'busy_bee', { role_ids: ids });
    const [user] = (await lists.page({ keyword: 'busy_bee', details: 'true' })).items;
    expect(user).toMatchObject({ role_count: 11 });
    expect((user as unknown as { roles: { name: string }[] }).roles.map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, number) => `watch_${10 + number}`),
    );
    await admin.delete(`/api/user/${id}`);
  });
});
