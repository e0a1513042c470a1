import {
  defineSetting,
  integer,
  SettingsValidator,
  SettingsValidators,
  text,
  textList,
} from '../../src/platform/settings';
import { registrationEnabled } from '../../src/auth';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { ADMIN, eventually, TestService } from '../support/service/test-service';

interface Item {
  key: string;
  category: string;
  type: string;
  value: unknown;
  default_value: unknown;
  is_secret: boolean;
  is_set: boolean;
  is_public: boolean;
  minimum?: number;
  maximum?: number;
  options?: string[];
  description: string;
  version: number;
  updated_at: string | null;
  updated_by: string | null;
}
interface List {
  items: Item[];
}

const kind = integer({ minimum: 1, maximum: 9 });
const count = defineSetting({ key: 'trial.count', defaultValue: 5, kind, sensitive: false });
const limit = defineSetting({ key: 'trial.limit', defaultValue: 9, kind, sensitive: false });
const note = defineSetting({
  key: 'trial.note',
  defaultValue: '',
  kind: text(20),
  public: true,
  sensitive: false,
  texts: {
    title: { en: 'Note', zh: '备注' },
    description: { en: 'What visitors read.', zh: '访客看到的文字。' },
  },
});
const names = defineSetting<readonly string[]>({
  key: 'trial.names',
  defaultValue: [],
  kind: textList(3, (name) => (name === 'bad' ? 'role_name' : undefined)),
  sensitive: false,
});

/** A rule between two settings, as a module would define it. */
class CountWithinLimit extends SettingsValidator {
  readonly watches = [count, limit];

  check: SettingsValidator['check'] = async (proposed) =>
    proposed.get(count) <= proposed.get(limit)
      ? []
      : [{ setting: count, code: 'max', params: { max: proposed.get(limit) } }];
}

describe('settings', () => {
  let service: TestService;
  let admin: TestClient;
  let adminId: string;

  beforeAll(async () => {
    service = await TestService.start();
    service.app.get(SettingsValidators).add(new CountWithinLimit());
    admin = await service.admin();
    adminId = (await admin.get<{ id: string }>('/api/auth/me')).body.id;
  });

  afterAll(() => service.stop());

  const put = <T = List>(updates: unknown, more: object = {}, query = ''): Promise<Answer<T>> =>
    admin.put<T>(`/api/setting${query}`, { updates, ...more });
  const one = async (key: string, client = admin): Promise<Item> => {
    const { body } = await client.get<List>('/api/setting');
    return body.items.find((item) => item.key === key)!;
  };
  const failures = (answer: Answer<unknown>): [string, string][] =>
    ((answer.body as Problem).errors ?? []).map(({ field, code }) => [field, code]);

  describe('list', () => {
    it('contains everything that an editor needs, by category and key', async () => {
      const { status, body } = await admin.get<List>('/api/setting');
      expect(status).toBe(200);
      const order = body.items.map(({ category, key }) => `${category} ${key}`);
      expect(order).toEqual([...order].sort());
      expect(body.items.find(({ key }) => key === 'jwt.access_ttl_seconds')).toEqual({
        key: 'jwt.access_ttl_seconds',
        title: 'Access token lifetime',
        category: 'jwt',
        type: 'integer',
        value: 900,
        default_value: 900,
        is_secret: false,
        is_set: false,
        is_public: false,
        minimum: 1,
        maximum: 3_600,
        description: 'Lifetime of an access token, in seconds.',
        version: 0,
        updated_at: null,
        updated_by: null,
      });
      expect(body.items.find(({ key }) => key === 'jwt.cookie_same_site')?.options).toEqual(['lax', 'strict', 'none']);
    });

    it('filters by category', async () => {
      const { body } = await admin.get<List>('/api/setting?category=register');
      expect(body.items.length).toBeGreaterThan(3);
      expect(new Set(body.items.map(({ category }) => category))).toEqual(new Set(['register']));
      expect((await admin.get<List>('/api/setting?category=nothing')).body.items).toEqual([]);
    });

    it.each([
      ['en', 'trial.note', 'Note', 'What visitors read.'],
      ['zh', 'trial.note', '备注', '访客看到的文字。'],
      ['en', 'trial.count', 'trial.count', 'trial.count'],
    ])('shows in %s the texts of a host for %s, or the key', async (language, key, title, description) => {
      const { body } = await admin.get<List>(`/api/setting?category=trial&lang=${language}`);
      expect(body.items.find((item) => item.key === key)).toMatchObject({ title, description });
    });

    it('is in the language of the caller', async () => {
      const { body } = await admin.get<List>('/api/setting?category=register&lang=zh');
      expect(body.items.find(({ key }) => key === registrationEnabled.key)?.description).toBe('开放自助注册。');
    });

    it('contains only public settings for a caller without setting:read', async () => {
      const bob = await service.signUp('bob');
      const { body } = await bob.get<List>('/api/setting');
      expect(body.items.map(({ key }) => key)).toEqual(expect.arrayContaining(['app.name', registrationEnabled.key]));
      expect(body.items.filter((item) => !item.is_public)).toEqual([]);
    });

    it('requires a login', async () => {
      expect((await service.client().get('/api/setting')).status).toBe(401);
    });
  });

  describe('change', () => {
    it('stores version, time and name, and is effective immediately', async () => {
      const answer = await put([{ key: count.key, value: 7 }]);
      expect(answer.status).toBe(200);
      expect(answer.body.items).toMatchObject([
        { key: count.key, value: 7, default_value: 5, is_set: true, version: 1, updated_by: adminId },
      ]);
      expect(Date.parse(answer.body.items[0]!.updated_at!)).not.toBeNaN();
      expect(await one(count.key)).toEqual(answer.body.items[0]);
    });

    it('restores the default with null', async () => {
      await put([{ key: note.key, value: 'hello' }]);
      const { body } = await put([{ key: note.key, value: null }]);
      expect(body.items).toMatchObject([{ value: '', is_set: false, version: 2 }]);
      expect(await one(note.key)).toMatchObject({ value: '', is_set: false, version: 2 });
    });

    it('is effective on every instance within a second', async () => {
      const other = await service.another();
      const client = other.client();
      const info = (): Promise<Answer<{ name: string }>> => client.get<{ name: string }>('/api/info');
      expect((await info()).body.name).toBe('Castellan');
      await put([{ key: 'app.name', value: 'Elsewhere' }]);
      expect((await service.client().get<{ name: string }>('/api/info')).body.name).toBe('Elsewhere');
      await eventually(info, ({ body }) => body.name === 'Elsewhere', 1.2);
      await put([{ key: 'app.name', value: null }]);
    });

    it('is stored as a whole or not at all, with every error', async () => {
      const before = (await admin.get<List>('/api/setting')).body;
      const answer = await put<Problem>([
        { key: note.key, value: 'kept?' },
        { key: 'no.such', value: 1 },
        { key: count.key, value: 'seven' },
        { key: limit.key, value: 10 },
        { key: limit.key, value: 0 },
        { key: names.key, value: ['a', 'bad'] },
        { key: 'jwt.cookie_same_site', value: 'never' },
        { key: 'app.name', value: 'x'.repeat(51), version: 77 },
      ]);
      expectProblem(answer, 400, 'settings_update_failed');
      expect(failures(answer)).toEqual([
        ['updates[1].key', 'unknown_setting'],
        ['updates[2].value', 'type'],
        ['updates[3].value', 'max'],
        ['updates[4].key', 'given_twice'],
        ['updates[4].value', 'min'],
        ['updates[5].value', 'role_name'],
        ['updates[6].value', 'one_of'],
        ['updates[7].version', 'version_conflict'],
        ['updates[7].value', 'max_length'],
      ]);
      for (const { detail } of answer.body.errors!) expect(detail).not.toMatch(/[{}]/);
      expect(answer.body.errors![1]!.detail).toBe('Must be of type integer.');
      expect((await admin.get<List>('/api/setting')).body).toEqual(before);
    });

    it('obeys a rule between settings', async () => {
      await put([
        { key: count.key, value: 5 },
        { key: limit.key, value: 9 },
      ]);
      const both = [
        { key: limit.key, value: 3 },
        { key: count.key, value: 4 },
      ];
      expect(failures(await put(both))).toEqual([['updates[1].value', 'max']]);
      // The error names the setting that breaks the rule, not the setting that the rule belongs to.
      expect(
        failures(
          await put([
            { key: note.key, value: '' },
            { key: limit.key, value: 3 },
          ]),
        ),
      ).toEqual([['updates[1].value', 'max']]);
      expect(
        (
          await put([
            { key: limit.key, value: 6 },
            { key: count.key, value: 6 },
          ])
        ).status,
      ).toBe(200);
      expect(failures(await put([{ key: limit.key, value: 5 }]))).toEqual([['updates[0].value', 'max']]);
      await put([
        { key: limit.key, value: null },
        { key: count.key, value: null },
      ]);
    });

    it('is rejected with an outdated version', async () => {
      const { version } = await one(names.key);
      const first = await put([{ key: names.key, value: ['a'], version }]);
      expect(first.body.items).toMatchObject([{ version: version + 1 }]);
      const second = await put<Problem>([{ key: names.key, value: ['b'], version }]);
      expect(failures(second)).toEqual([['updates[0].version', 'version_conflict']]);
      expect(await one(names.key)).toMatchObject({ value: ['a'], version: version + 1 });
    });

    it('succeeds for one of many concurrent callers with the same version', async () => {
      const { version } = await one(names.key);
      const answers = await Promise.all(
        ['a', 'b', 'c', 'd', 'e'].map((name) => put([{ key: names.key, value: [name], version }])),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
      expect(await one(names.key)).toMatchObject({ version: version + 1 });
    });

    it('stores nothing in a dry run', async () => {
      const before = await one(note.key);
      const answer = await put([{ key: note.key, value: 'trial' }], {}, '?dry_run=true');
      expect(answer.body.items).toMatchObject([{ value: 'trial', is_set: true, version: before.version + 1 }]);
      expect(await one(note.key)).toEqual(before);
      expect(failures(await put([{ key: note.key, value: 1 }], {}, '?dry_run=true'))).toEqual([
        ['updates[0].value', 'type'],
      ]);
      expect(await service.query(`SELECT 1 FROM audit_event WHERE after ->> 'value' = 'trial'`)).toEqual([]);
    });

    it.each([
      ['no body', undefined],
      ['no updates', {}],
      ['an empty list', { updates: [] }],
      ['no list', { updates: { key: 'app.name', value: 'x' } }],
      ['a list of texts', { updates: ['app.name'] }],
      ['a list with null', { updates: [null] }],
      ['no key', { updates: [{ value: 1 }] }],
      ['no value', { updates: [{ key: 'app.name' }] }],
      ['an invalid version', { updates: [{ key: 'app.name', value: 'x', version: -1 }] }],
      ['an unknown member', { updates: [{ key: 'app.name', value: 'x', is_public: true }] }],
      ['a reason that is too long', { updates: [{ key: 'app.name', value: 'x' }], reason: 'x'.repeat(501) }],
      ['101 updates', { updates: Array.from({ length: 101 }, () => ({ key: 'app.name', value: 'x' })) }],
    ])('is rejected with %s', async (_, body) => {
      const answer = await admin.put<Problem>('/api/setting', body);
      expectProblem(answer, 400, 'validation_failed');
      expect(await one('app.name')).toMatchObject({ value: 'Castellan' });
    });

    it.each(['nul\0', 'lone \ud800', '\0'])('is rejected with a text that cannot be stored', async (value) => {
      expect(failures(await put([{ key: note.key, value }]))).toEqual([['updates[0].value', 'well_formed']]);
      expect(failures(await put([{ key: names.key, value: [value] }]))).toEqual([['updates[0].value', 'well_formed']]);
    });

    it.each(['__proto__', 'constructor', 'toString'])('is rejected with the key %s', async (key) => {
      expect(failures(await put([{ key, value: 1 }]))).toEqual([['updates[0].key', 'unknown_setting']]);
    });

    it('requires setting:update', async () => {
      const cid = await service.signUp('cid');
      const answer = await cid.put<Problem>('/api/setting', { updates: [{ key: note.key, value: 'mine' }] });
      expectProblem(answer, 403, 'permission_denied');
      expect(await one(note.key)).not.toMatchObject({ value: 'mine' });
    });

    it('writes one audit event per setting with actor, old value, new value and reason', async () => {
      await put([{ key: note.key, value: 'one' }]);
      await put([{ key: note.key, value: 'two' }], { reason: 'because' });
      const [event] = await service.query(
        `SELECT actor_name, action, target_type, before, after, reason FROM audit_event
         WHERE target_id = $1 ORDER BY at DESC, id DESC LIMIT 1`,
        [note.key],
      );
      expect(event).toMatchObject({
        actor_name: ADMIN.username,
        action: 'setting.update',
        target_type: 'setting',
        before: { value: 'one' },
        after: { value: 'two' },
        reason: 'because',
      });
    });
  });
});
