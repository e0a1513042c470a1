import { newId } from '../../src/platform/crypto';
import { ActivityRecorderService } from '../../src/statistics';
import { expectProblem } from '../support/expect-problem';
import type { Problem, TestClient } from '../support/test-client';
import { TestService } from '../support/test-service';
import { withService } from '../support/with-service';

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

  beforeEach(async () => {
    service = await TestService.start();
    admin = await service.admin();
  });

  afterEach(() => service.stop());

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
