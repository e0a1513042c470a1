import { defineSetting, text } from '../../src/platform/settings';
import { SettingsService } from '../../src/settings';
import { encryptionKey } from '../support/service/encryption-key';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { ADMIN, eventually, TEST_KEYS, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Item {
  key: string;
  value: unknown;
  is_set: boolean;
  version: number;
}
interface List {
  items: Item[];
}

const SECRET_TEXT = 'hunter2-very-secret';

const secret = defineSetting({
  key: 'checked.secret',
  defaultValue: '',
  kind: text(100),
  secret: true,
  sensitive: false,
});
const note = defineSetting({ key: 'checked.note', defaultValue: '', kind: text(20), sensitive: false });
const guarded = defineSetting({ key: 'checked.guarded', defaultValue: 'x', kind: text(20), sensitive: true });

describe('settings', () => {
  let service: TestService;
  let admin: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  const put = (updates: unknown, more: object = {}): Promise<Answer<List>> =>
    admin.put<List>('/api/setting', { updates, ...more });
  const one = async (key: string): Promise<Item> => {
    const { body } = await admin.get<List>('/api/setting');
    return body.items.find((item) => item.key === key)!;
  };

  describe('sensitive', () => {
    let stale: TestClient;
    const ask = (updates: object[], query = ''): Promise<Answer<Problem>> =>
      stale.put<Problem>(`/api/setting${query}`, { updates });

    beforeAll(async () => {
      stale = await service.admin();
      const { body } = await stale.get<{ items: { id: string; current: boolean }[] }>('/api/auth/sessions');
      const { id } = body.items.find(({ current }) => current)!;
      await service.query(`UPDATE session SET authenticated_at = now() - interval '1 hour' WHERE id = $1`, [id]);
      const failure = await eventually(
        () => ask([{ key: guarded.key, value: 'x' }]),
        ({ status }) => status !== 200,
      );
      expectProblem(failure, 401, 'reauthentication_required');
    });

    it.each([
      'jwt.cookie_prefix',
      'jwt.cookie_path',
      'jwt.cookie_domain',
      'jwt.cookie_same_site',
      'security.allowed_origins',
      'security.lockout_threshold',
      'security.rate_limits_enabled',
      'rate.register_per_hour_ip',
      'app.logo',
      'app.logo_dark',
      'app.favicon',
      'register.enabled',
      'register.default_role',
      'audit.retention_days',
    ])('include %s', async (key) => {
      const answer = await ask([{ key, value: null }], '?dry_run=true');
      expectProblem(answer, 401, 'reauthentication_required');
    });

    it('are not rolled back without a recent login', async () => {
      const before = await one(guarded.key);
      const answer = await stale.post<Problem>(`/api/setting/${guarded.key}/rollback`, { version: 0 });
      expectProblem(answer, 401, 'reauthentication_required');
      expect(await one(guarded.key)).toEqual(before);
    });

    it('require a recent login, and fail the whole batch without one', async () => {
      const before = await one(note.key);
      const both = [
        { key: note.key, value: 'beside' },
        { key: guarded.key, value: 'y' },
      ];
      expectProblem(await ask(both), 401, 'reauthentication_required');
      expect(await one(note.key)).toEqual(before);
      expect((await ask([{ key: note.key, value: 'alone' }])).status).toBe(200);

      expect((await stale.post('/api/auth/reauthenticate', { password: ADMIN.password })).status).toBe(204);
      expect((await ask(both)).status).toBe(200);
      expect(await one(guarded.key)).toMatchObject({ value: 'y' });
    });
  });

  describe('secret', () => {
    beforeAll(() => put([{ key: secret.key, value: SECRET_TEXT }], { reason: 'a new one' }));

    it('are never shown, only whether they are set', async () => {
      expect(await one(secret.key)).toMatchObject({ value: null, default_value: null, is_secret: true, is_set: true });
      expect((await put([{ key: secret.key, value: null }])).body.items).toMatchObject([
        { value: null, is_set: false },
      ]);
      expect((await put([{ key: secret.key, value: SECRET_TEXT }])).body.items).toMatchObject([
        { value: null, is_set: true },
      ]);
    });

    it('are encrypted in the database, in every version', async () => {
      const rows = await service.query<{ value: string }>(
        `SELECT value FROM setting WHERE key = $1
         UNION ALL SELECT to_value FROM setting_history WHERE key = $1 AND to_value IS NOT NULL`,
        [secret.key],
      );
      expect(rows.length).toBeGreaterThan(1);
      for (const { value } of rows) expect(value).toMatch(/^enc:v1:test:/);
    });

    it('appear in no history, audit, response, error or log line', async () => {
      const history = await admin.get(`/api/setting/${secret.key}/history`);
      const rejected = await put([{ key: secret.key, value: SECRET_TEXT, version: 0 }]);
      const audit = await service.query<{ text: string }>(`SELECT audit_event::text AS text FROM audit_event`);
      const shown = [history.text, rejected.text, ...audit.map(({ text: line }) => line), ...service.logLines].join(
        '\n',
      );
      expect(history.status).toBe(200);
      expect(rejected.status).toBe(400);
      expect(shown).not.toContain(SECRET_TEXT);
      expect(shown).not.toContain('enc:v1:');
    });

    it('are decrypted for the code that uses them', async () => {
      expect(await service.app.get(SettingsService).get(secret)).toBe(SECRET_TEXT);
    });

    it('are encrypted again at a start with a new key, and prevent a start without their key', async () => {
      const database = await TestService.start();
      await database.set(secret, 'first');
      await database.set(secret, SECRET_TEXT);
      const keys = `${encryptionKey('new', 'n')},${TEST_KEYS}`;
      const rotated = await database.another({ environment: { ENCRYPTION_KEYS: keys } });
      const rows = await database.query<{ value: string }>(
        `SELECT value FROM setting WHERE key = $1
         UNION ALL SELECT from_value FROM setting_history WHERE key = $1 AND from_value IS NOT NULL
         UNION ALL SELECT to_value FROM setting_history WHERE key = $1`,
        [secret.key],
      );
      expect(rows).toHaveLength(4);
      for (const { value } of rows) expect(value).toMatch(/^enc:v1:new:/);
      expect(await rotated.app.get(SettingsService).get(secret)).toBe(SECRET_TEXT);

      const foreign = { environment: { ENCRYPTION_KEYS: encryptionKey('other', 'o') } };
      await database.query('DELETE FROM signing_key');
      await expect(database.another(foreign)).rejects.toThrow('ENCRYPTION_KEYS cannot open the secret settings');
      await database.stop();
    });
  });
});
