import { appName, appPrimaryColor } from '../../src/settings';
import { eventually } from '../support/service/eventually';
import { expectProblem } from '../support/service/expect-problem';
import { hasServer } from '../support/service/on-server';
import { sessionOf } from '../support/accounts/session-tokens';
import { staleFor } from '../support/service/staleness';
import { CutMoment, TcpProxy } from '../support/service/tcp-proxy';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { PASSWORD, TestService } from '../support/service/test-service';

jest.setTimeout(60_000);

/** The bytes of `pg` for COMMIT, and of PostgreSQL for its completion, with the end of the text. */
const COMMIT = 'COMMIT\0';
/** One second, plus pauses of a busy machine. */
const BOUND_MS = 1_100;

interface Info {
  readonly name: string;
}

(hasServer ? describe : describe.skip)('connection loss at COMMIT (needs TEST_DATABASE_URL)', () => {
  let database: TestDatabase;
  let network: TcpProxy;
  let service: TestService;
  let other: TestService;
  let admin: TestClient;

  beforeAll(async () => {
    database = await createTestDatabase();
    network = await TcpProxy.to(database.url!);
    service = await TestService.start({ environment: { DATABASE_URL: network.url } });
    other = await service.another({ environment: { DATABASE_URL: database.url! } });
    admin = await service.admin();
  });

  afterAll(async () => {
    await service.stop();
    await network.shut();
    await database.drop();
  });

  /** The response of a request whose commit has an unknown outcome. */
  async function cutting(
    moment: CutMoment,
    act: () => Promise<Answer<Problem>>,
    at = COMMIT,
    answer = COMMIT,
  ): Promise<void> {
    network.cutOnce(at, moment, answer);
    const failed = await act();
    expect(network.cuts).toBe(1);
    expectProblem(failed, 503, 'unavailable');
    expect(Number(failed.headers['retry-after'])).toBeGreaterThan(0);
  }

  describe.each<[CutMoment, string]>([
    ['before', 'nothing is stored'],
    ['after', 'everything is stored once'],
  ])('a cut %s the database executes COMMIT, so that %s,', (moment) => {
    const isDone = moment === 'after';

    it('is survived by a registration', async () => {
      const username = `cut_${moment}`;
      const register = (): Promise<Answer<Problem>> =>
        service.client().post<Problem>('/api/auth/register', { username, password: PASSWORD });
      await cutting(moment, register);
      const kept = await database.query(
        `SELECT (SELECT count(*)::int FROM user_role WHERE user_id = u.id) AS roles,
            (SELECT count(*)::int FROM audit_event WHERE action = 'user.create' AND target_id = u.id::text) AS audits
          FROM user_account u WHERE username = $1`,
        [username],
      );
      expect(kept).toEqual(isDone ? [{ roles: 1, audits: 1 }] : []);
      expect((await register()).status).toBe(isDone ? 409 : 201);
    });

    it('is survived by a batch of settings', async () => {
      const name = `Cut ${moment}`;
      const updates = [
        { key: appName.key, value: name },
        { key: appPrimaryColor.key, value: isDone ? '#111111' : '#222222' },
      ];
      await cutting(moment, () => admin.put<Problem>('/api/setting', { updates }));
      const stored = await database.query('SELECT key FROM setting WHERE value = ANY($1::jsonb[])', [
        updates.map(({ value }) => JSON.stringify(value)),
      ]);
      expect(stored).toHaveLength(isDone ? 2 : 0);
      for (const instance of [service, other]) {
        await eventually(
          () => instance.client().get<Info>('/api/info'),
          ({ body }) => (body.name === name) === isDone,
        );
      }
    });

    it('is survived by a logout', async () => {
      const ann = await service.signUp(`leaving_${moment}`);
      const { cookie } = ann;
      await cutting(moment, () => ann.post<Problem>('/api/auth/logout'));
      const [session] = await database.query<{ is_revoked: boolean }>(
        `SELECT revoked_at IS NOT NULL AS is_revoked FROM session
          WHERE user_id = (SELECT id FROM user_account WHERE username = $1)`,
        [`leaving_${moment}`],
      );
      expect(session?.is_revoked).toBe(isDone);
      for (const instance of [service, other]) {
        const isKnown = async (): Promise<boolean> =>
          (await new TestClient(instance.app).get('/api/auth/me', { cookie })).status === (isDone ? 401 : 200);
        expect(await staleFor(isKnown)).toBeLessThan(BOUND_MS);
      }
    });

    it('is survived by a refresh, whose tokens stay usable', async () => {
      const ann = await service.signUp(`refreshing_${moment}`);
      // A refresh is a single statement without an explicit transaction.
      await cutting(moment, () => ann.post<Problem>('/api/auth/refresh'), sessionOf(ann), 'UPDATE 1\0');
      expect((await ann.post('/api/auth/refresh')).status).toBe(200);
      expect((await ann.get('/api/auth/me')).status).toBe(200);
      const [session] = await database.query<{ counter: number }>(
        `SELECT counter FROM session WHERE user_id = (SELECT id FROM user_account WHERE username = $1)`,
        [`refreshing_${moment}`],
      );
      expect(session?.counter).toBe(2);
    });
  });
});
