import { performance } from 'node:perf_hooks';
import { registerPerHourPerAddress } from '../../src/auth';
import { lockoutSeconds, lockoutThreshold } from '../../src/auth/login/lockout.settings';
import { eventually } from '../support/service/eventually';
import { EventStream } from '../support/receivers/event-stream';
import { userWith } from '../support/accounts/holders';
import { listen } from '../support/service/raw-http';
import { describeWithRedis, RedisServer } from '../support/servers/redis-server';
import { cacheOf, guess, repeated } from '../support/service/several-instances';
import { staleFor } from '../support/service/staleness';
import { TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

/** A few milliseconds on a quiet machine. Less than the second for which a cached value stays valid. */
const AT_ONCE_MS = 500;
const CACHE_TTL_MS = 1_000;
/** Allows for pauses of a busy machine between reading the clock and sending the request. */
const TOLERANCE_MS = 100;

/** How long a session revoked on `here` is still accepted on `there`, which has it in its cache. */
async function revocationDelay(here: TestService, there: TestService, username: string): Promise<number> {
  const admin = await here.logIn(username);
  const victim = await here.logIn(username);
  const elsewhere = new TestClient(there.app);
  const own = await victim.get<{ items: { id: string; current: boolean }[] }>('/api/auth/sessions');
  const id = own.body.items.find((session) => session.current)?.id ?? '';
  expect((await elsewhere.get('/api/auth/me', { cookie: victim.cookie })).status).toBe(200);
  expect((await admin.delete(`/api/auth/sessions/${id}`)).status).toBe(204);
  return staleFor(async () => (await elsewhere.get('/api/auth/me', { cookie: victim.cookie })).status === 401);
}

describeWithRedis('two instances on one database', () => {
  let redis: RedisServer;
  let one: TestService;
  let two: TestService;

  const settled = (cache: string): Promise<string[]> =>
    eventually(
      async () => Promise.all([cacheOf(one), cacheOf(two)]),
      (states) => states.every((state) => state === cache),
      15,
    );

  beforeAll(async () => {
    redis = await RedisServer.started();
    one = await TestService.start({ environment: { REDIS_URL: redis.url } });
    two = await one.another();
    await one.register('ann');
  });

  afterAll(async () => {
    await one.stop();
    await redis.remove();
  });

  beforeEach(() => settled('ok'));

  it('end a session on both immediately', async () => {
    const delays: number[] = [];
    for (let round = 0; round < 5; round++) delays.push(await revocationDelay(one, two, 'ann'));
    process.stdout.write(`      honoured on the other for at most ${Math.max(...delays).toFixed(1)} ms\n`);
    expect(Math.max(...delays)).toBeLessThan(AT_ONCE_MS);
  });

  it('send a page its lost permission, with Redis immediately and without it within a second', async () => {
    const admin = await one.admin();
    const holder = await userWith(one, admin, 'reader');
    const stream = await EventStream.open(await listen(two.app), holder.client, { path: '/api/auth/me/stream' });
    const delay = async (change: object, isThere: (text: string) => boolean): Promise<number> => {
      await admin.patch(`/api/user/${holder.id}/permissions`, change);
      const made = performance.now();
      await stream.until(() => isThere(JSON.stringify(stream.events.at(-1)?.data)));
      return performance.now() - made;
    };
    const holds = (text: string): boolean => text.includes('report:read');
    await delay({ add: [{ permission_id: 'report:read' }] }, holds);
    const announced = await delay({ remove: ['report:read'] }, (text) => !holds(text));
    await redis.kill();
    await settled('degraded');
    await delay({ add: [{ permission_id: 'report:read' }] }, holds);
    const unannounced = await delay({ remove: ['report:read'] }, (text) => !holds(text));
    process.stdout.write(`      sent after ${announced.toFixed(1)} ms, without Redis ${unannounced.toFixed(1)} ms\n`);
    expect(announced).toBeLessThan(AT_ONCE_MS);
    expect(unannounced).toBeLessThan(CACHE_TTL_MS + TOLERANCE_MS);
    stream.close();
    await redis.start();
  });

  /** Codes of six wrong passwords of one user, each from another address, alternately on both instances. */
  const guessByTurns = async (round: number): Promise<string[]> => {
    const username = `guessed_${round}`;
    await one.register(username);
    const codes: string[] = [];
    for (const [place, service] of [one, two, one, two, one, two].entries()) {
      codes.push(await guess(service, username, `198.18.${round}.${place}`));
    }
    return codes;
  };

  it('count wrong passwords together and lock together', async () => {
    await one.set(lockoutThreshold, 4);
    await one.set(lockoutSeconds, 600);
    const counted = [...Array.from({ length: 4 }, () => 'invalid_credentials'), 'account_locked', 'account_locked'];
    expect(await repeated(guessByTurns, (codes) => codes.join() === counted.join())).toEqual(counted);
  });

  /** Statuses of four registrations from one address, alternately on both instances. */
  const registerByTurns = async (round: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (const [place, service] of [one, two, one, two].entries()) {
      const client = service.client();
      client.address = `192.0.2.${100 + round}`;
      const body = { username: `reg_${round}_${place}`, password: PASSWORD };
      statuses.push((await client.post('/api/auth/register', body)).status);
    }
    return statuses;
  };

  it('apply rate limits together', async () => {
    await one.set(registerPerHourPerAddress, 3);
    const statuses = await repeated(registerByTurns, (found) => found.at(-1) === 429);
    expect(statuses).toEqual([201, 201, 201, 429]);
  });

  describe.each([
    { loss: 'killed', lose: () => redis.kill(), comeBack: () => redis.start() },
    {
      loss: 'frozen',
      lose: async () => {
        redis.freeze();
      },
      comeBack: async () => {
        redis.thaw();
      },
    },
  ])('while Redis is $loss', ({ loss, lose, comeBack }) => {
    afterEach(async () => {
      redis.thaw();
      await comeBack();
      await settled('ok');
    });

    it('serve every request, report a degraded state, and recover without a restart', async () => {
      const ann = await one.logIn('ann');
      await lose();
      for (let request = 0; request < 20; request++) expect((await ann.get('/api/auth/me')).status).toBe(200);
      await settled('degraded');
      const ready = await two.client().get<{ status: string }>('/health/ready');
      expect([ready.status, ready.body.status]).toEqual([200, 'degraded']);
    });

    it('end a session on both within a second', async () => {
      await lose();
      await settled('degraded');
      const delays: number[] = [];
      for (let round = 0; round < 3; round++) delays.push(await revocationDelay(one, two, 'ann'));
      process.stdout.write(`      ${loss}: honoured on the other for at most ${Math.max(...delays).toFixed(1)} ms\n`);
      expect(Math.max(...delays)).toBeLessThan(CACHE_TTL_MS + TOLERANCE_MS);
    });

    it('keep an earlier lock on the instance that set it', async () => {
      const username = `guarded_${loss}`;
      await one.set(lockoutThreshold, 1);
      await one.register(username);
      expect(await guess(one, username, '198.51.100.5')).toBe('invalid_credentials');
      await lose();
      expect(await guess(one, username, '198.51.100.6')).toBe('account_locked');
    });

    it('keep a lock that was set during the failure on both after recovery', async () => {
      const username = `locked_${loss}`;
      await one.set(lockoutThreshold, 2);
      await one.register(username);
      await lose();
      await settled('degraded');
      expect(await guess(one, username, '198.51.100.1')).toBe('invalid_credentials');
      expect(await guess(one, username, '198.51.100.2')).toBe('invalid_credentials');
      expect(await guess(one, username, '198.51.100.3')).toBe('account_locked');
      redis.thaw();
      await comeBack();
      await settled('ok');
      expect(await guess(two, username, '198.51.100.4')).toBe('account_locked');
    });
  });

  it('end a session within a second when Redis was never configured', async () => {
    const [alone, other] = [await one.another({}), await one.another({})];
    expect(await cacheOf(alone)).toBe('ok');
    expect(await revocationDelay(alone, other, 'ann')).toBeLessThan(CACHE_TTL_MS + TOLERANCE_MS);
  });
});
