import { newId } from '../../src/platform/crypto';
import { Transactions } from '../../src/platform/database';
import { Scheduler } from '../../src/platform/jobs';
import { ActivityRecorderService } from '../../src/operations/statistics';
import { AccountCountRepository } from '../../src/operations/statistics/account-count.repository';
import { FailedLoginsRepository } from '../../src/operations/statistics/failed-logins.repository';
import { expectProblem } from '../support/service/expect-problem';
import { userWith } from '../support/accounts/holders';
import type { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService, withServicePerTest } from '../support/service/with-service';

interface Step {
  at: string;
  logins: number;
  failed_logins: number;
  active_sessions: number | null;
  deliveries: number;
  failed_deliveries: number;
}
interface Report {
  step_seconds: number;
  items: Step[];
}

describe('statistics from events', () => {
  let service: TestService;
  let admin: TestClient;

  withServicePerTest(async (started) => {
    service = started;
    admin = await service.admin();
  });

  const report = async (range: string): Promise<Report> =>
    (await admin.get<Report>(`/api/statistics?range=${range}`)).body;
  const sum = (items: Step[], name: 'logins' | 'failed_logins' | 'deliveries' | 'failed_deliveries'): number =>
    items.reduce((total, step) => total + step[name], 0);
  const writeLogins = (count: number, outcome: string, at: string): Promise<unknown> =>
    service.query(
      `INSERT INTO audit_event (id, at, action, outcome) SELECT id, ${at}, 'login', $2 FROM unnest($1::uuid[]) AS id`,
      [Array.from({ length: count }, newId), outcome],
    );
  const writeDelivery = (outcome: string, at: string): Promise<unknown> =>
    service.query(
      `INSERT INTO message_delivery (id, at, channel, purpose, target, outcome)
       VALUES ($1, ${at}, 'email', 'login', 'a***@example.com', $2)`,
      [newId(), outcome],
    );

  it('count logins, failures, sessions and messages as they happen', async () => {
    await service.signUp('ann');
    await service.client().post('/api/auth/login', { type: 'password', username: 'ann', password: 'wrong' });
    await writeDelivery('accepted', 'now()');
    await writeDelivery('rejected', 'now()');
    await writeDelivery('unknown', 'now()');
    const { items } = await report('day');
    expect(items.at(-1)?.active_sessions ?? items.at(-2)?.active_sessions).toBe(2);
    expect(sum(items, 'logins')).toBe(2);
    expect(sum(items, 'failed_logins')).toBe(1);
    expect(sum(items, 'deliveries')).toBe(1);
    expect(sum(items, 'failed_deliveries')).toBe(2);
  });

  it('stay exact when hours are stored, and count nothing twice', async () => {
    const [{ at } = { at: '' }] = await service.query<{ at: string }>(
      `SELECT (date_trunc('day', now(), 'UTC') - interval '3 days' + interval '5 hours')::text AS at`,
    );
    await writeLogins(4, 'success', `timestamptz '${at}'`);
    await writeLogins(3, 'failure', `timestamptz '${at}' + interval '59 minutes'`);
    await writeLogins(1, 'success', `timestamptz '${at}' + interval '1 hour'`);
    const recorder = service.app.get(ActivityRecorderService);
    await recorder.record();
    await Promise.all([recorder.record(), recorder.record()]);
    const [stored] = await service.query(
      `SELECT logins, failed_logins FROM activity_hour WHERE hour = '${at}'::timestamptz`,
    );
    expect(stored).toEqual({ logins: 4, failed_logins: 3 });
    const { items } = await report('week');
    expect(items.at(-4)).toMatchObject({ logins: 5, failed_logins: 3 });
    // Includes this login of the administrator.
    expect(sum(items, 'logins')).toBe(6);
  });

  it('keep counting an hour that has not ended or has just ended', async () => {
    await service.app.get(ActivityRecorderService).record();
    expect(
      await service.query(`SELECT max(hour) + interval '70 minutes' <= now() AS "areSettled" FROM activity_hour`),
    ).toEqual([{ areSettled: true }]);
    await service.signUp('ann');
    expect(sum((await report('day')).items, 'logins')).toBe(2);
  });

  it('remain after their source rows are deleted', async () => {
    await writeDelivery('accepted', `now() - interval '40 days'`);
    await service.app.get(ActivityRecorderService).record();
    await service.query('DELETE FROM message_delivery');
    const { items } = await report('quarter');
    expect(sum(items, 'deliveries')).toBe(1);
  });

  it('exclude ended sessions and sessions from before the counting', async () => {
    const ann = await service.signUp('ann');
    await ann.post('/api/auth/logout');
    await service.signUp('bob');
    await service.query(
      `UPDATE session SET expires_at = now() - interval '1 second'
       WHERE user_id = (SELECT id FROM user_account WHERE username = 'bob')`,
    );
    const { items } = await report('week');
    expect(items.at(-1)?.active_sessions).toBe(1);
    expect(items[0]?.active_sessions).toBeNull();
  });
});

interface Figure {
  readonly value: number | null;
  readonly before: number | null;
}
interface Overview {
  readonly counted_at: string | null;
  readonly users: Figure;
  readonly new_users: Figure;
  readonly active_users: Figure;
  readonly second_factor_users: Figure;
  readonly logins: Figure;
  readonly failed_logins: Figure;
  readonly methods: readonly { readonly method: string; readonly logins: number }[];
}

describe('the overview', () => {
  let service: TestService;
  let admin: TestClient;

  withServicePerTest(async (started) => {
    service = started;
    admin = await service.admin();
  });

  const overview = async (range: string): Promise<Overview> =>
    (await admin.get<Overview>(`/api/statistics/overview?range=${range}`)).body;
  /** Counts the accounts as if the last count were old. */
  async function recount(...instances: TestService[]): Promise<void> {
    await service.app.get(Scheduler, { strict: false }).idle();
    await service.query(`UPDATE account_count SET counted_at = counted_at - interval '10 minutes'`);
    const counts = instances.map(({ app }) => app.get(AccountCountRepository, { strict: false }));
    await Promise.all(counts.map((each) => each.keep()));
  }

  it('counts accounts, logins and methods', async () => {
    const ann = await service.signUp('ann');
    await ann.post('/api/auth/login', { type: 'password', username: 'ann', password: 'wrong' });
    await service.register('never_there');
    await service.query(
      `INSERT INTO mfa_totp (id, user_id, secret, confirmed_at)
       SELECT $1, id, 'sealed', now() FROM user_account WHERE username = 'ann'`,
      [newId()],
    );
    await recount(service);
    const { counted_at: countedAt, ...figures } = await overview('day');
    expect(Date.now() - Date.parse(countedAt ?? '')).toBeLessThan(60_000);
    expect(figures).toEqual({
      users: { value: 3, before: null },
      new_users: { value: 3, before: null },
      active_users: { value: 2, before: null },
      second_factor_users: { value: 1, before: null },
      logins: { value: 2, before: null },
      failed_logins: { value: 1, before: null },
      methods: [{ method: 'password', logins: 2 }],
    });
  });

  it('counts accounts at the start', async () => {
    const own = await TestService.start();
    await own.app.get(Scheduler, { strict: false }).idle();
    expect(await own.query('SELECT users FROM account_count')).toHaveLength(1);
    await own.stop();
  });

  it('counts no accounts in a request', async () => {
    await service.app.get(Scheduler, { strict: false }).idle();
    await service.query('DELETE FROM account_count');
    const { counted_at: countedAt, users, new_users: newUsers, logins } = await overview('day');
    expect(countedAt).toBeNull();
    expect([users, newUsers, logins.value]).toEqual([{ value: null, before: null }, { value: null, before: null }, 1]);
    expect(await service.query('SELECT users FROM account_count')).toEqual([]);
  });

  it('compares with the period before', async () => {
    await recount(service);
    await service.query(
      `INSERT INTO account_count (hour, counted_at, users, second_factor_users, new_users, active_users)
       VALUES (date_trunc('hour', now() - interval '7 days', 'UTC'), now() - interval '7 days', 10, 4, '{1,2,3,4}',
         '{5,6,7,8}')`,
    );
    await service.query(
      `INSERT INTO activity_hour (hour, logins, failed_logins, deliveries, failed_deliveries, methods)
       SELECT hour, 2, 1, 0, 0, '{"sms": 2}' FROM generate_series(
         date_trunc('hour', now(), 'UTC') - interval '340 hours',
         date_trunc('hour', now(), 'UTC') - interval '1 hour', interval '1 hour') AS hour`,
    );
    const week = await overview('week');
    expect([week.users.before, week.second_factor_users.before]).toEqual([10, 4]);
    expect([week.new_users.before, week.active_users.before]).toEqual([2, 6]);
    expect([week.logins.before, week.failed_logins.before]).toEqual([2 * 168, 168]);
    expect(week.methods[0]).toEqual({ method: 'sms', logins: 2 * 167 });
    expect((await overview('month')).logins.before).toBeNull();
  });

  it('counts accounts again after minutes only, and once for several instances', async () => {
    const other = await service.another();
    await other.app.get(Scheduler, { strict: false }).idle();
    await recount(service);
    const stored = (): Promise<unknown[]> => service.query('SELECT hour, counted_at, users FROM account_count');
    const first = await stored();
    await service.register('later');
    await service.app.get(AccountCountRepository, { strict: false }).keep();
    expect(await stored()).toEqual(first);

    const sent = [service, other].map(({ app }) => jest.spyOn(app.get(Transactions, { strict: false }), 'rows'));
    await recount(service, other, service, other);
    const statements = sent.flatMap(({ mock }) => mock.calls).filter(([sql]) => sql.includes('INTO account_count'));
    expect(statements).toHaveLength(1);
    const rows = await service.query<{ users: number }>('SELECT users FROM account_count ORDER BY hour DESC');
    expect(rows[0]?.users).toBe(2);
  });
});

describe('GET /api/statistics/failed-logins', () => {
  let service: TestService;
  let admin: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  it('names the accounts and addresses with most failed logins', async () => {
    await service.register('often');
    await service.register('once');
    const browser = service.client();
    const fail = (username: string): Promise<unknown> =>
      browser.post('/api/auth/login', { type: 'password', username, password: 'wrong' });
    for (const username of ['often', 'often', 'once', 'no_such_user']) await fail(username);
    const { body } = await admin.get<{
      accounts: { username: string; failures: number }[];
      addresses: { ip: string; failures: number }[];
      examined: number;
      is_partial: boolean;
    }>('/api/statistics/failed-logins?range=day');
    expect(body.accounts.map(({ username, failures }) => [username, failures])).toEqual([
      ['often', 2],
      ['once', 1],
    ]);
    expect(body.addresses.map(({ failures }) => failures)).toEqual([4]);
    expect([body.examined, body.is_partial]).toEqual([4, false]);
  });

  it('shows the last username of an account, and reads a bounded number of other failures', async () => {
    const logins = service.app.get(FailedLoginsRepository, { strict: false });
    await service.query(
      `INSERT INTO audit_event (id, at, action, outcome, target_type, target_id, target_label)
       SELECT md5(label)::uuid, now() + minutes * interval '1 minute', action, 'failure', 'user', 'an_id', label
       FROM (VALUES ('login', 'zoe', 7), ('login', 'ann', 8), ('user.update', 'other', 9)) AS act (action, label, minutes)`,
    );
    expect(await logins.find(1, 3, 5)).toEqual({
      failing: [{ kind: 'account', id: 'an_id', name: 'ann', failures: 2 }],
      logins: 2,
      read: 3,
    });
    expect(await logins.find(1, 2, 5)).toMatchObject({ logins: 1, read: 2 });
  });

  it('requires access to the audit log, because it names users', async () => {
    const { client } = await userWith(service, admin, 'numbers_only', 'statistics:read');
    expect((await client.get('/api/statistics/overview')).status).toBe(200);
    expectProblem(await client.get<Problem>('/api/statistics/failed-logins'), 403, 'permission_denied');
  });
});

describe('GET /api/statistics', () => {
  let service: TestService;
  let admin: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  it.each([
    { range: 'day', steps: 24, seconds: 3_600 },
    { range: 'week', steps: 7, seconds: 86_400 },
    { range: 'month', steps: 30, seconds: 86_400 },
    { range: 'quarter', steps: 90, seconds: 86_400 },
  ])('returns a $range in $steps steps without a gap, ending now', async ({ range, steps, seconds }) => {
    const { step_seconds, items } = (await admin.get<Report>(`/api/statistics?range=${range}`)).body;
    expect([step_seconds, items.length]).toEqual([seconds, steps]);
    const times = items.map(({ at }) => Date.parse(at));
    expect(times.every((time, index) => index === 0 || time - times[index - 1]! === seconds * 1_000)).toBe(true);
    expect(times.every((time) => time % (seconds * 1_000) === 0)).toBe(true);
    expect(Date.now() - times.at(-1)!).toBeLessThan(seconds * 1_000 + 5_000);
  });

  it('requires its permission and a known range', async () => {
    const ann = await service.signUp('ann');
    const denied = await ann.get<Problem>('/api/statistics');
    expectProblem(denied, 403, 'permission_denied');
    const wrong = await admin.get<Problem>('/api/statistics?range=century');
    expect([wrong.status, wrong.body.errors?.[0]?.field]).toEqual([400, 'range']);
    expect((await admin.get('/api/statistics')).status).toBe(200);
  });
});
