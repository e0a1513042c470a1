import { itOnServer } from '../support/service/on-server';
import { TcpProxy } from '../support/service/tcp-proxy';
import { Problem, TestClient } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';

jest.setTimeout(60_000);

const FORM = {
  payload: 'client_id=a&grant_type=refresh_token&refresh_token=a',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
};

describe('database outage', () => {
  let owner: TestService;
  let service: TestService;
  let network: TcpProxy | undefined;
  let ann: TestClient;

  beforeAll(async () => {
    owner = await TestService.start();
    const { url } = owner.database;
    network = url === undefined ? undefined : await TcpProxy.to(url);
    service = network ? await owner.another({ environment: { DATABASE_URL: network.url } }) : owner;
    ann = await service.signUp('ann');
  });

  afterAll(async () => {
    await owner.stop();
    await network?.shut();
  });

  /** The proxy between the service and its database server. */
  const line = (): TcpProxy => {
    if (!network) throw new Error('The embedded database has no network to cut');
    return network;
  };

  itOnServer('does not block health and metrics while the connection hangs', async () => {
    const stranger = service.client();
    stranger.address = '127.0.0.1';
    const timed = async (ask: () => Promise<{ status: number }>): Promise<[number, number]> => {
      const began = performance.now();
      const { status } = await ask();
      return [status, performance.now() - began];
    };
    line().freeze();
    const waiting = timed(() => ann.get<Problem>('/api/auth/me'));
    // Waits until every cached setting has expired.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    // A browser-based monitor sends an Origin header. The allowed origins are in the database.
    const monitor = { origin: 'https://status.example.com' };
    for (const [path, headers] of [
      ['/health/live', {}],
      ['/metrics', {}],
      ['/health/live', monitor],
    ] as const) {
      const [status, took] = await timed(() => stranger.get(path, { headers, remoteAddress: '127.0.0.1' }));
      expect([path, headers, status]).toEqual([path, headers, 200]);
      // A request that waited for the database would take as long as its connect timeout.
      expect(took).toBeLessThan(1_000);
    }
    const [unready, asked] = await timed(() => stranger.get('/health/ready'));
    expect(unready).toBe(503);
    expect(asked).toBeLessThan(3_000);
    const [unknown, looked] = await timed(() => stranger.get('/api/nothing'));
    expect(unknown).toBe(404);
    expect(looked).toBeLessThan(1_000);
    const [status, took] = await waiting;
    expect(status).toBe(503);
    expect(took).toBeLessThan(10_000);
    line().thaw();
    await eventually(
      () => ann.get('/api/auth/me'),
      (answer) => answer.status === 200,
      15,
    );
  });

  it('returns 503 unavailable with Retry-After when a request needs the database, and the process stays alive', async () => {
    const stranger = service.client();
    expect((await stranger.get('/health/ready')).status).toBe(200);
    if (network) await network.shut();
    else await owner.database.embedded!.close();

    const asked = [
      () => ann.get<Problem>('/api/auth/me'),
      () => ann.post<Problem>('/api/auth/refresh'),
      () => stranger.post<Problem>('/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD }),
      () => stranger.post<Problem>('/api/auth/register', { username: 'bob', password: PASSWORD }),
    ];
    for (const ask of asked) {
      const answer = await eventually(ask, ({ status }) => status >= 500);
      expectProblem(answer, 503, 'unavailable');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.text).not.toMatch(/ECONN|embedded|postgres|127\.0\.0\.1/i);
    }
    for (const [method, url] of [
      ['GET', '/api/oauth/authorize?client_id=a'],
      ['POST', '/api/oauth/token'],
    ] as const) {
      const answer = await service.app.inject({ method, url, ...(method === 'POST' && FORM) });
      expect([url, answer.statusCode]).toEqual([url, 503]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await stranger.get('/health/live')).status).toBe(200);
    const readiness = await stranger.get<{ status: string; checks: { database: string } }>('/health/ready');
    expect([readiness.status, readiness.body]).toMatchObject([
      503,
      { status: 'unavailable', checks: { database: 'unavailable' } },
    ]);
    expectProblem(await stranger.get<Problem>('/api/nothing?lang=zh'), 404, 'not_found');
  });

  itOnServer('ends without a restart once the database is back', async () => {
    await line().shut();
    await eventually(
      () => ann.get('/api/auth/me'),
      ({ status }) => status === 503,
    );
    await line().open();
    const back = await eventually(
      () => ann.get('/api/auth/me'),
      ({ status }) => status === 200,
    );
    expect(back.status).toBe(200);
  });
});
