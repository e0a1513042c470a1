import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { UserFilter, UserListRepository } from '../../src/user-admin/user-list.repository';
import { positionIn } from '../../src/user-admin/user-order';
import { Replicas, Transactions } from '../../src/platform/database';
import { CountEstimateRepository, Position } from '../../src/platform/lists';
import { openTestDataSource } from '../support/service/test-data-source';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

const NO_FILTER: UserFilter = {
  keyword: undefined,
  status: undefined,
  locked: undefined,
  roleId: undefined,
  hasSecondFactor: undefined,
  attribute: undefined,
  sort: '-created_at',
};
const LAST = ['1', 'ffffffff-ffff-7fff-8fff-ffffffffffff'];
const SEARCHES = ['search', 'by_former_username', 'pk'];

interface Plan {
  readonly 'QUERY PLAN': string;
}

describe('a page of the user list', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let users: UserListRepository;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openTestDataSource(database);
    const ignore = (): undefined => undefined;
    const replicas = new Replicas([], new Transactions(dataSource, ignore), { onAway: ignore, onBack: ignore });
    users = new UserListRepository(replicas, new CountEstimateRepository(replicas));
    // Building the index once is faster than adding each user to it.
    const [search] = await database.query<{ indexdef: string }>(
      `SELECT indexdef FROM pg_indexes WHERE indexname = 'user_account_search'`,
    );
    await database.query('DROP INDEX user_account_search');
    await database.query(
      `INSERT INTO user_account (id, username, nickname, email, email_key, status)
       SELECT gen_random_uuid(), 'name_' || number, 'nick ' || number, 'mail' || number || '@example.com',
              'mail' || number || '@example.com', CASE WHEN number % 100 = 0 THEN 'disabled' ELSE 'active' END
       FROM generate_series(1, 20000) AS number`,
    );
    await database.query(search!.indexdef);
    await database.query('ANALYZE user_account');
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /** The plan of the repository's query. @param how options of EXPLAIN */
  async function planOf(filter: Partial<UserFilter>, after?: string[], how = ''): Promise<string> {
    const log = jest.spyOn(dataSource.logger, 'logQuery');
    await users.cursorPage({ ...NO_FILTER, ...filter }, { pageSize: 20, limit: 21, after });
    const [sql = '', parameters] = log.mock.calls.at(-1) ?? [];
    log.mockRestore();
    const rows = await database.query<Plan>(`EXPLAIN ${how} ${sql}`, (parameters ?? []) as unknown[]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it.each<[string, Partial<UserFilter>, string[]]>([
    ['of all users', {}, ['pk']],
    ['of a status', { status: 'disabled' }, ['by_status', 'pk']],
    ['of all users by username', { sort: 'username' }, ['username_unique', 'pk']],
    ['of a common status by descending username', { sort: '-username', status: 'active' }, ['username_unique', 'pk']],
    ['of the oldest users', { sort: 'created_at' }, ['pk']],
    ['of a common part', { keyword: { text: 'ame_', phone: undefined } }, SEARCHES],
    ['of a part with one match', { keyword: { text: '777@example', phone: undefined } }, SEARCHES],
    ['of a part without a match', { keyword: { text: 'zzz', phone: undefined } }, SEARCHES],
    ['of a single ideograph', { keyword: { text: '张', phone: undefined } }, SEARCHES],
    ['of a letter and a common status', { keyword: { text: 'n', phone: undefined }, status: 'active' }, SEARCHES],
    ['of a phone', { keyword: { text: '1', phone: '+8613800138000' } }, ['phone_unique', ...SEARCHES]],
  ])('%s reads only indexes made for it, in the order of the list', async (_, filter, indexes) => {
    for (const after of [undefined, LAST]) {
      const plan = await planOf(filter, after);
      const used = [...plan.matchAll(/Index.* (?:using|on) user_account_(\w+)/g)].map(([, index]) => index);
      expect(indexes).toEqual(expect.arrayContaining(used));
      expect(plan).not.toContain('Seq Scan on user_account account');
      // A segment is sorted when it is reached. Sorting all segments would mean reading all of them.
      if (filter.keyword) {
        expect(plan).toMatch(/Limit .*\n *-> +Nested Loop .*\n *-> +Sort .*\n *Sort Key: \(generate_series/);
      }
    }
  });

  it.each([undefined, LAST])(
    'of a common part and a rare status reads only the users of that status, after %j',
    async (after) => {
      const filter: UserFilter = {
        ...NO_FILTER,
        keyword: { text: 'mail', phone: '+8613800138000' },
        status: 'disabled',
      };
      const plan = await planOf(filter, after, '(ANALYZE)');
      const used = [...plan.matchAll(/Index.* (?:using|on) user_account_(\w+)/g)].map(([, index]) => index);
      expect(new Set(used)).toEqual(new Set(['by_status', 'pk']));
      const expected = await database.query<{ id: string }>(
        `SELECT id FROM user_account WHERE status = 'disabled' AND (search_segment, id) < ($1, $2)
       ORDER BY search_segment DESC, id DESC LIMIT 21`,
        after ?? ['99', LAST[1]],
      );
      const found = await users.cursorPage(filter, { pageSize: 20, limit: 21, after });
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      expect(await users.count(filter)).toMatchObject({ total: 200 });
    },
  );

  it.each([
    ['few users with a factor', 300, true],
    ['many users with a factor', 19_000, true],
    ['many users without a factor', 300, false],
  ])('of %s does not read all users', async (_, enrolled, hasSecondFactor) => {
    await database.query(
      `INSERT INTO mfa_totp (id, user_id, secret, confirmed_at)
       SELECT gen_random_uuid(), id, 'x', now() FROM user_account ORDER BY id LIMIT $1`,
      [enrolled],
    );
    await database.query('ANALYZE mfa_totp');
    for (const keyword of [undefined, { text: 'ame_', phone: undefined }]) {
      const plan = await planOf({ hasSecondFactor, keyword }, undefined, '(ANALYZE)');
      expect(plan).not.toContain('Seq Scan on user_account account');
    }
    await database.query('DELETE FROM mfa_totp');
  });

  it.each([
    ['all of them', 'ame_', 1_000],
    ['few users of two segments', 'me_77', 10],
    ['few users in distant segments', 'ck 19', 100],
  ])('continues after the previous page when %s match', async (_, text, limit) => {
    const filter = { ...NO_FILTER, keyword: { text, phone: undefined } };
    const expected = await database.query<{ id: string }>(
      `SELECT id FROM user_account WHERE username LIKE '%${text}%' OR nickname LIKE '%${text}%' ORDER BY search_segment DESC, id DESC`,
    );
    const found: string[] = [];
    for (let after: Position | undefined; ;) {
      const page = await users.cursorPage(filter, { pageSize: limit - 1, limit, after });
      found.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (!last) break;
      after = positionIn(filter.sort, last);
    }
    const ids = expected.map(({ id }) => id);
    expect(found).toEqual(ids);
    const offset = Math.floor(ids.length * 0.6);
    const numbered = await users.page(filter, { page: 1, pageSize: limit, limit, offset });
    expect(numbered.map(({ id }) => id)).toEqual(ids.slice(offset, offset + limit));
  });

  it.each([
    ['of all users', undefined],
    ['after a cursor', LAST],
  ])('that one segment fills reads no other segment: the first %s', async (_, after) => {
    for (const text of ['ame_', 'ick', '@example.com']) {
      const plan = await planOf({ keyword: { text, phone: undefined } }, after, '(ANALYZE)');
      const reads = [...plan.matchAll(/Index.* user_account_search .* loops=(\d+)\)/g)].map(([, loops]) => loops);
      expect(reads).toEqual(['1']);
    }
  });
});
