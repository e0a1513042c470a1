import fc from 'fast-check';
import { boolean, choice, defineSetting, integer, Setting, text } from '../../src/platform/settings';
import { SettingsService } from '../../src/settings';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Change {
  version: number;
  from: unknown;
  to: unknown;
  changed_at: string;
  changed_by: string | null;
  reason: string | null;
}
interface Item {
  key: string;
  value: unknown;
  is_set: boolean;
  version: number;
}

const color = defineSetting({
  key: 'trial.color',
  defaultValue: 'red',
  kind: choice(['red', 'green', 'blue']),
  sensitive: false,
});
const flag = defineSetting({ key: 'trial.flag', defaultValue: false, kind: boolean, sensitive: false });
const size = defineSetting({
  key: 'trial.size',
  defaultValue: 1,
  kind: integer({ minimum: 0, maximum: 9 }),
  sensitive: false,
});
const secret = defineSetting({ key: 'trial.secret', defaultValue: '', kind: text(50), secret: true, sensitive: false });
const story = defineSetting({ key: 'trial.story', defaultValue: '', kind: text(50), sensitive: false });
const watched = [color, flag, size, secret] as readonly Setting[];

describe('setting history', () => {
  let service: TestService;
  let admin: TestClient;
  let adminId: string;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    adminId = (await admin.get<{ id: string }>('/api/auth/me')).body.id;
  });

  const put = (updates: object[], more: object = {}): Promise<Answer<{ items: Item[] }>> =>
    admin.put<{ items: Item[] }>('/api/setting', { updates, ...more });
  const history = async (key: string): Promise<Change[]> =>
    (await admin.get<{ items: Change[] }>(`/api/setting/${key}/history`)).body.items;
  const rollback = <T = Item>(key: string, version: unknown, client = admin): Promise<Answer<T>> =>
    client.post<T>(`/api/setting/${key}/rollback`, { version });

  it('lists each change, newest first', async () => {
    expect(await history(story.key)).toEqual([]);
    await put([{ key: story.key, value: 'once' }], { reason: 'it begins' });
    await put([{ key: story.key, value: 'upon' }]);
    await put([{ key: story.key, value: null }]);
    expect(await history(story.key)).toMatchObject([
      { version: 3, from: 'upon', to: null, changed_by: adminId, reason: null },
      { version: 2, from: 'once', to: 'upon', changed_by: adminId, reason: null },
      { version: 1, from: null, to: 'once', changed_by: adminId, reason: 'it begins' },
    ]);
  });

  it('contains no rejected change and no dry run', async () => {
    const before = await history(story.key);
    await put([{ key: story.key, value: 1 }]);
    await admin.put('/api/setting?dry_run=true', { updates: [{ key: story.key, value: 'x' }] });
    expect(await history(story.key)).toEqual(before);
  });

  it('restores a value as a new version', async () => {
    const restored = await rollback(story.key, 1);
    expect([restored.status, restored.body]).toMatchObject([200, { value: 'once', is_set: true, version: 4 }]);
    expect((await history(story.key))[0]).toMatchObject({ version: 4, from: null, to: 'once', changed_by: adminId });
    expect((await rollback(story.key, 3)).body).toMatchObject({ value: '', is_set: false, version: 5 });
    expect((await rollback(story.key, 0)).body).toMatchObject({ value: '', is_set: false, version: 6 });
    const events = await service.query(
      `SELECT after FROM audit_event WHERE action = 'setting.rollback' AND target_id = $1 ORDER BY at, id`,
      [story.key],
    );
    expect(events).toMatchObject([{ after: { value: 'once' } }, { after: { value: '' } }, { after: { value: '' } }]);
  });

  it('rejects a version that never existed', async () => {
    expectProblem(await rollback(story.key, 99), 404, 'not_found');
    expectProblem(await rollback('no.such', 1), 404, 'not_found');
    expectProblem(await rollback('no.such', 'one'), 400, 'validation_failed');
    expect((await admin.get('/api/setting/no.such/history')).status).toBe(404);
    expect((await admin.get('/api/setting/__proto__/history')).status).toBe(404);
  });

  it('rejects a value that is no longer valid', async () => {
    await put([{ key: color.key, value: 'green' }]);
    await put([{ key: color.key, value: 'blue' }]);
    await service.query(`UPDATE setting_history SET to_value = '"pink"' WHERE key = $1 AND version = 1`, [color.key]);
    const answer = await rollback<Problem>(color.key, 1);
    expectProblem(answer, 400, 'settings_update_failed');
    expect(answer.body.errors).toMatchObject([{ field: 'version', code: 'one_of' }]);
    await service.query(`UPDATE setting_history SET to_value = '"green"' WHERE key = $1 AND version = 1`, [color.key]);
  });

  it('requires read permission to list and write permission to restore', async () => {
    const ann = await service.signUp('ann');
    expect((await ann.get(`/api/setting/${story.key}/history`)).status).toBe(403);
    expect((await rollback(story.key, 1, ann)).status).toBe(403);
    expect((await service.client().get(`/api/setting/${story.key}/history`)).status).toBe(401);
  });

  it('of a secret shows no value and restores the right one', async () => {
    await put([{ key: secret.key, value: 'first' }]);
    await put([{ key: secret.key, value: 'second' }]);
    expect(await history(secret.key)).toMatchObject([
      { version: 2, from: null, to: null },
      { version: 1, from: null, to: null },
    ]);
    expect((await rollback(secret.key, 1)).body).toMatchObject({ value: null, is_set: true, version: 3 });
    expect(await service.app.get(SettingsService).get(secret)).toBe('first');
  });

  describe('after random changes', () => {
    const value = fc.oneof(
      fc.record({ key: fc.constant(color.key), value: fc.constantFrom('red', 'green', 'blue', null, 'pink') }),
      fc.record({ key: fc.constant(flag.key), value: fc.constantFrom(true, false, null, 1) }),
      fc.record({ key: fc.constant(size.key), value: fc.oneof(fc.integer({ min: -1, max: 10 }), fc.constant(null)) }),
      fc.record({ key: fc.constant(secret.key), value: fc.oneof(fc.string({ maxLength: 5 }), fc.constant(null)) }),
    );
    const batches = fc.array(fc.array(value, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });

    const effective = (): Promise<unknown[]> =>
      Promise.all(watched.map((setting) => service.app.get(SettingsService).get(setting)));

    const versions = async (): Promise<number[]> => {
      const { items } = (await admin.get<{ items: Item[] }>('/api/setting?category=trial')).body;
      return watched.map(({ key }) => items.find((item) => item.key === key)!.version);
    };

    it('restores from any state the effective value of each version', async () => {
      await fc.assert(
        fc.asyncProperty(batches, fc.nat(), async (asked, chosen) => {
          const moments = [{ values: await effective(), versions: await versions() }];
          for (const batch of asked) {
            await put(batch);
            moments.push({ values: await effective(), versions: await versions() });
          }
          const moment = moments[chosen % moments.length]!;
          for (const [index, { key }] of watched.entries()) await rollback(key, moment.versions[index]);
          expect(await effective()).toEqual(moment.values);
        }),
        { numRuns: 12 },
      );
    });
  });
});
