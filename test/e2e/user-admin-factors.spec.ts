import { createUser } from '../support/accounts/admin-users';
import { createRole } from '../support/accounts/holders';
import { Problem, TestClient } from '../support/service/test-client';
import { ADMIN, TestService } from '../support/service/test-service';
import { rejected, UserLists, UserQuery } from '../support/accounts/user-lists';
import { withService } from '../support/service/with-service';

/** More users than are found before the other conditions are checked. */
const CROWD = 5_001;

describe('has_second_factor of GET /api/user', () => {
  let service: TestService;
  let admin: TestClient;
  let roleId: string;
  const lists = new UserLists(() => admin);

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    roleId = (await createRole(admin, 'crew')).id;
    for (const name of ['with_app', 'with_passkey', 'with_both', 'unconfirmed', 'with_codes', 'with_nothing']) {
      await createUser(admin, name, name.startsWith('with_') ? { role_ids: [roleId] } : {});
    }
    await service.query(
      `INSERT INTO mfa_totp (id, user_id, secret, confirmed_at)
       SELECT gen_random_uuid(), id, 'x', CASE WHEN username <> 'unconfirmed' THEN now() END
       FROM user_account WHERE username IN ('with_app', 'with_both', 'unconfirmed')`,
    );
    await service.query(
      `INSERT INTO mfa_passkey (id, user_id, credential_id, rp_id, public_key, counter, transports, is_device_bound,
         is_backed_up, name, aaguid)
       SELECT gen_random_uuid(), account.id, account.id || number::text, 'localhost', 'x', 0, '[]', false, false, 'x',
         gen_random_uuid()
       FROM user_account AS account, generate_series(1, 2) AS number WHERE username IN ('with_passkey', 'with_both')`,
    );
    await service.query(
      `INSERT INTO mfa_recovery_set (id, user_id, codes)
       SELECT gen_random_uuid(), id, '[]' FROM user_account WHERE username = 'with_codes'`,
    );
  });

  /** Numbered pages, pages after a cursor and the total agree. */
  const found = async (query: UserQuery): Promise<string[]> => {
    const { items, total } = await lists.page({ ...query, page_size: 100 });
    expect(await lists.walk({ ...query, page_size: 2 })).toEqual(items);
    expect(total).toBe(items.length);
    return items.map(({ username }) => username);
  };

  const combinations: [UserQuery, string[]][] = [
    [{ has_second_factor: true }, ['with_both', 'with_passkey', 'with_app']],
    [{ has_second_factor: false }, ['with_nothing', 'with_codes', 'unconfirmed', ADMIN.username]],
    [{ has_second_factor: true, sort: 'username' }, ['with_app', 'with_both', 'with_passkey']],
    [{ has_second_factor: false, sort: '-username' }, ['with_nothing', 'with_codes', 'unconfirmed', ADMIN.username]],
    [{ has_second_factor: true, keyword: 'with_' }, ['with_both', 'with_passkey', 'with_app']],
    [{ has_second_factor: false, keyword: 'with_' }, ['with_nothing', 'with_codes']],
    [{ has_second_factor: true, status: 'disabled' }, []],
    [{ has_second_factor: true, status: 'active', keyword: '_both' }, ['with_both']],
  ];

  it.each(combinations)('finds by %j exactly %j', async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  it('combines with a role', async () => {
    const [having, lacking] = [
      { has_second_factor: true, role_id: roleId },
      { has_second_factor: false, role_id: roleId },
    ];
    expect(await found(having)).toEqual(['with_both', 'with_passkey', 'with_app']);
    expect(await found(lacking)).toEqual(['with_nothing', 'with_codes']);
    expect(await found({ ...lacking, keyword: 'codes' })).toEqual(['with_codes']);
  });

  it('narrows the export of users', async () => {
    const { text } = await admin.get<string>('/api/user/export?has_second_factor=true');
    const names = text
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(',')[1]);
    expect(names).toEqual(['with_both', 'with_passkey', 'with_app']);
    const [event] = await service.query<{ after: unknown }>(
      `SELECT after FROM audit_event WHERE action = 'user.export' ORDER BY id DESC LIMIT 1`,
    );
    expect(event?.after).toEqual({ format: 'csv', has_second_factor: true });
  });

  it.each(['', 'yes', '1', 'TRUE'])('rejects the value %j', async (value) => {
    for (const path of ['/api/user', '/api/user/export']) {
      const { status, body } = await admin.get<Problem>(`${path}?has_second_factor=${value}`);
      expect({ status, errors: body.errors }).toMatchObject({
        status: 400,
        errors: [{ field: 'has_second_factor', code: 'type_boolean' }],
      });
    }
  });

  it('rejects the cursor of a list with another value', async () => {
    const { next_cursor } = await lists.cursorPage({ page_size: 1, has_second_factor: true });
    for (const has_second_factor of [false, undefined]) {
      const failure = await lists.failure({ has_second_factor, cursor: next_cursor ?? '' });
      expect(failure).toEqual(rejected('cursor: cursor'));
    }
  });

  it('finds the same among many users with a factor', async () => {
    await service.query(
      `WITH crowd AS (
         INSERT INTO user_account (id, username)
         SELECT ('0190' || lpad(to_hex(number), 4, '0') || '-0000-7000-8000-000000000000')::uuid, 'crowd_' || number
         FROM generate_series(1, ${CROWD}) AS number RETURNING id)
       INSERT INTO mfa_totp (id, user_id, secret, confirmed_at) SELECT gen_random_uuid(), id, 'x', now() FROM crowd`,
    );
    const all = await lists.page({ has_second_factor: true, page_size: 4 });
    expect(all.total).toBe(CROWD + 3);
    expect(all.items.map(({ username }) => username)).toEqual([
      'with_both',
      'with_passkey',
      'with_app',
      `crowd_${CROWD}`,
    ]);
    for (const [query, names] of combinations.filter(([{ has_second_factor: has, keyword }]) => !has || keyword)) {
      expect(await found(query)).toEqual(names);
    }
  });
});
