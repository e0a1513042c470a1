import { eventually } from '../support/service/eventually';
import { Load, LoadResult } from '../support/service/load';
import { describeWithPostgres, PostgresServer } from '../support/servers/postgres-server';
import { TcpProxy } from '../support/service/tcp-proxy';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

jest.setTimeout(240_000);

const BACK_WITHIN_MS = 5_000;
const STEADY = 20;
const SLOW_MS = 1_000;

type Loss = 'crashed' | 'frozen';

describeWithPostgres('promotion of a PostgreSQL standby under load', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let network: TcpProxy;
  let services: readonly [TestService, TestService];
  let names = 0;
  let nicknames = 0;
  let isRenaming = false;

  const begin = async (isSynchronous: boolean): Promise<void> => {
    primary = await PostgresServer.started();
    network = await TcpProxy.to(primary.url);
    const one = await TestService.start({ environment: { DATABASE_URL: network.url } });
    services = [one, await one.another({ environment: { DATABASE_URL: network.url } })];
    standby = await primary.standby({ isSynchronous });
  };

  afterEach(async () => {
    await services[0].stop();
    await network.shut();
    await standby.remove();
    await primary.remove();
  });

  const register = async (acknowledged: string[], on: TestService): Promise<Answer<Problem>> => {
    const username = `promoted_${++names}`;
    const answer = await on.client().post<Problem>('/api/auth/register', { username, password: PASSWORD });
    if (answer.status === 201) acknowledged.push(username);
    return answer;
  };
  /** One change at a time, because the order of concurrent ones is open. */
  const rename = async (acknowledged: number[], client: TestClient): Promise<Answer<Problem>> => {
    if (isRenaming) return client.get<Problem>('/.well-known/jwks.json');
    isRenaming = true;
    const number = ++nicknames;
    const answer = await client.patch<Problem>('/api/auth/me', { nickname: `name ${number}` });
    isRenaming = false;
    if (answer.status === 200) acknowledged.push(number);
    return answer;
  };
  /** Loses the primary under load and promotes the standby. Ends when the service works again. */
  const failOver = async (load: Load, lose: () => Promise<void>): Promise<Figures> => {
    const lost = performance.now();
    await lose();
    await load.reaches(3, ({ status }) => status === 503);
    await standby.promote();
    network.leadTo(standby.url);
    const reachable = performance.now();
    await eventually(
      async () => load.results.filter(({ sent }) => sent > reachable).slice(-STEADY),
      (latest) => latest.length === STEADY && latest.every(({ answer }) => answer.status < 300),
      30,
    );
    await load.end();
    return figuresOf(load.results, lost, reachable);
  };

  it.each<Loss>(['crashed', 'frozen'])(
    'of a %s primary loses no acknowledged write, and the service is back within five seconds',
    async (loss) => {
      await begin(true);
      const ann = await services[0].signUp('promoted_ann');
      const [users, changes]: [string[], number[]] = [[], []];
      const load = new Load([
        () => register(users, services[0]),
        () => rename(changes, ann),
        () => register(users, services[1]),
      ]);
      await load.reaches(40, ({ status }) => status < 300);
      const figures = await failOver(load, () => (loss === 'crashed' ? primary.crash() : primary.freeze()));
      report(`${loss} primary, synchronous standby`, { ...figures, acknowledged: users.length + changes.length });

      expect(Math.max(figures.firstMs, figures.backMs)).toBeLessThan(BACK_WITHIN_MS);
      expect(figures.otherErrors).toEqual([]);
      expect(await missing(standby, users)).toEqual([]);
      expect(await halfDone(standby)).toEqual([]);
      const [row] = await standby.query<{ nickname: string }>(
        `SELECT nickname FROM user_account WHERE username = 'promoted_ann'`,
      );
      const nickname = row?.nickname ?? '';
      // A change without a response may be done.
      expect(Number(nickname.slice('name '.length))).toBeGreaterThanOrEqual(Math.max(...changes));
      // The session of before the failover is still valid, and its refresh token works.
      expect((await ann.post('/api/auth/refresh', {})).status).toBe(200);
      expect((await ann.get('/api/auth/me')).body).toMatchObject({ nickname });
    },
  );

  it('that lags loses no acknowledged write that it has, and forgets the others completely', async () => {
    await begin(false);
    const users: string[] = [];
    const load = new Load([() => register(users, services[0]), () => register(users, services[1])]);
    await load.reaches(20, ({ status }) => status === 201);
    await standby.stopReceiving();
    await load.reaches(40, ({ status }) => status === 201);
    const figures = await failOver(load, () => primary.crash());
    const lost = await missing(standby, users);
    report('crashed primary, lagging standby', { ...figures, acknowledged: users.length, lost: lost.length });

    expect(Math.max(figures.firstMs, figures.backMs)).toBeLessThan(BACK_WITHIN_MS);
    expect(figures.otherErrors).toEqual([]);
    expect(lost.length).toBeGreaterThan(0);
    expect(await halfDone(standby)).toEqual([]);
    const kept = users.find((username) => !lost.includes(username)) ?? '';
    for (const service of services) expect(await statusOfLogin(service, kept)).toBe(200);
    const [forgotten = ''] = lost;
    for (const service of services) expect(await statusOfLogin(service, forgotten)).toBe(401);
    const again = await services[1].client().post('/api/auth/register', { username: forgotten, password: PASSWORD });
    expect(again.status).toBe(201);
  });
});

interface Figures {
  /** From the moment when the new primary was reachable to the first acknowledged write. */
  readonly firstMs: number;
  /** From that moment until no further request was rejected. */
  readonly backMs: number;
  /** From that moment to the last response to a request that was rejected, or that took more than a second. */
  readonly settledMs: number;
  /** From the loss until no further request was rejected. */
  readonly outageMs: number;
  readonly slowestMs: number;
  readonly rejected: number;
  readonly otherErrors: readonly unknown[];
}

function figuresOf(results: readonly LoadResult[], lost: number, reachable: number): Figures {
  const rejected = results.filter(({ answer }) => answer.status >= 300);
  const last = Math.max(...rejected.map(({ sent }) => sent));
  const bad = results.filter(({ answer, took }) => answer.status >= 300 || took > SLOW_MS);
  // Only a registration is answered by 201.
  const done = results.filter(({ answer }) => answer.status === 201).map(({ sent, took }) => sent + took);
  return {
    firstMs: Math.min(...done.filter((moment) => moment > reachable)) - reachable,
    backMs: Math.max(0, last - reachable),
    settledMs: Math.max(0, Math.max(...bad.map(({ sent, took }) => sent + took)) - reachable),
    outageMs: last - lost,
    slowestMs: Math.max(...results.map(({ took }) => took)),
    rejected: rejected.length,
    otherErrors: rejected
      .filter(({ answer }) => answer.status !== 503 || answer.headers['retry-after'] === undefined)
      .map(({ answer: { status, body } }) => [status, body]),
  };
}

function report(what: string, { otherErrors, ...figures }: Figures & Record<string, unknown>): void {
  const rounded = Object.entries(figures).map(([name, value]) => `${name} ${Math.round(Number(value))}`);
  process.stdout.write(`      ${what}: ${rounded.join(', ')}, other errors ${otherErrors.length}\n`);
}

async function missing(server: PostgresServer, acknowledged: readonly string[]): Promise<string[]> {
  const kept = await server.query<{ username: string }>('SELECT username FROM user_account');
  const names = new Set(kept.map(({ username }) => username));
  return acknowledged.filter((username) => !names.has(username));
}

/** The users without the default role or without their audit event. */
const halfDone = (server: PostgresServer): Promise<unknown[]> =>
  server.query(
    `SELECT username FROM user_account u WHERE username LIKE 'promoted%' AND NOT (
       EXISTS (SELECT FROM user_role JOIN role ON role.id = role_id WHERE user_id = u.id AND role.name = 'user')
       AND EXISTS (SELECT FROM audit_event WHERE action = 'user.create' AND target_id = u.id::text))`,
  );

async function statusOfLogin(service: TestService, username: string): Promise<number> {
  const login = { type: 'password', username, password: PASSWORD };
  return (await service.client().post('/api/auth/login', login)).status;
}
