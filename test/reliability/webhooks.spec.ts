import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN_LOGIN, builtService } from '../support/service/built-service';
import { eventually } from '../support/service/eventually';
import { BrokenConnectionError, call, HttpAnswer } from '../support/service/http-caller';
import { hasServer } from '../support/service/on-server';
import { RecordedDelivery, RecordingReceiver } from '../support/receivers/recording-receiver';
import { hasRedisServer, RedisServer } from '../support/servers/redis-server';
import { ServiceProcess } from '../support/service/service-process';

const numberFrom = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);

/** `EVENT_ACTS=500 EVENT_INSTANCES=3` for a long run; `EVENT_SEED` repeats the kills of another run. */
const ACTS = numberFrom('EVENT_ACTS', 60);
const INSTANCES = numberFrom('EVENT_INSTANCES', 2);
const SEED = numberFrom('EVENT_SEED', Date.now() % 1_000_000);
const ACTS_OF_A_ROLE = 3;
/** One kill of each for this many acts. */
const KILL_EVERY = { instance: 20, receiver: 25, redis: 20 };
/** A kill comes within this time after a request was sent. */
const KILL_WITHIN_MS = 60;
const LOG_IN_EVERY = 90;

jest.setTimeout(150_000 + ACTS * 2_000);

interface Act {
  readonly id: string;
  readonly subject: string;
}

interface Instance {
  readonly process: ServiceProcess;
  readonly url: string;
}

/** Numbers from 0 to 1 that follow from the seed (a linear congruential generator). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Processes share the database, which the embedded database does not allow. */
(hasServer ? describe : describe.skip)('kill -9 of instances, receiver and Redis (needs TEST_DATABASE_URL)', () => {
  const service = builtService();
  const instances: Instance[] = [];
  const random = randomFrom(SEED);
  const kills = { instance: 0, receiver: 0, redis: 0 };
  let receiver: RecordingReceiver;
  let redis: RedisServer | undefined;
  let cookie: string;

  async function startInstance(): Promise<void> {
    const process = service.start(redis && { REDIS_URL: redis.url });
    instances.push({ process, url: await process.ready });
  }

  async function logIn(): Promise<void> {
    ({ cookie } = await call(instances[0]!.url, 'POST', '/api/auth/login', { body: ADMIN_LOGIN }));
  }

  beforeAll(async () => {
    receiver = await RecordingReceiver.start();
    redis = hasRedisServer ? await RedisServer.started() : undefined;
    for (let count = 0; count < INSTANCES; count++) await startInstance();
    await logIn();
    const body = { name: 'Receiver', url: receiver.url, types: ['role.*'] };
    expect((await call(instances[0]!.url, 'POST', '/api/webhook', { body, cookie })).status).toBe(201);
  });

  afterAll(async () => {
    await receiver.remove();
    await redis?.remove();
  });

  /** Undefined if the instance was killed meanwhile: the act is done or not. */
  async function send(act: number, method: string, path: string, body?: object): Promise<HttpAnswer | undefined> {
    const { url } = instances[act % instances.length]!;
    return call(url, method, path, { cookie, ...(body && { body }) }).catch((error: unknown) => {
      if (error instanceof BrokenConnectionError) return undefined;
      throw error;
    });
  }

  /** Creates, changes and deletes a role; a name that is taken is rolled back. */
  async function liveOfRole(first: number): Promise<void> {
    const body = { name: `role-${first}`, permissions: [] };
    const made = await send(first, 'POST', '/api/role', body);
    const { id } = (made?.body ?? {}) as { id?: string };
    if (id === undefined) return;
    await send(first, 'POST', '/api/role', body);
    await send(first + 1, 'PATCH', `/api/role/${id}`, { description: 'changed' });
    await send(first + 2, 'DELETE', `/api/role/${id}`);
  }

  const disturbances: Record<keyof typeof kills, () => Promise<void>> = {
    /** Kills one while a request may be running, and replaces it. */
    instance: async () => {
      const [killed] = instances.splice(Math.floor(random() * instances.length), 1);
      await killed!.process.end('SIGKILL');
      await startInstance();
    },
    receiver: () => receiver.restart(),
    redis: async () => {
      await redis?.kill();
      await redis?.start();
    },
  };
  const kinds = Object.keys(kills) as (keyof typeof kills)[];

  async function disturb(kind: keyof typeof kills): Promise<void> {
    await sleep(random() * KILL_WITHIN_MS);
    kills[kind]++;
    await disturbances[kind]();
  }

  async function actAll(): Promise<void> {
    const due = (kind: keyof typeof kills, act: number): boolean =>
      // At random, but never much later than its turn, so that a short run has kills of each kind.
      random() < ACTS_OF_A_ROLE / KILL_EVERY[kind] || kills[kind] < Math.floor(act / KILL_EVERY[kind]) - 1;
    for (let act = 0; act < ACTS; act += ACTS_OF_A_ROLE) {
      if (act % LOG_IN_EVERY === 0) await logIn();
      await Promise.all([liveOfRole(act), ...kinds.filter((kind) => due(kind, act)).map(disturb)]);
    }
  }

  const committed = (): Promise<Act[]> =>
    service.database.query<Act>(
      `SELECT id, target_id AS subject FROM audit_event
       WHERE action IN ('role.create', 'role.update', 'role.delete') AND at > (SELECT created_at FROM webhook)
       ORDER BY position, id`,
    );
  function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
    const groups = new Map<string, T[]>();
    for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
    return groups;
  }

  /** Repeats failed deliveries without waiting for the pauses. */
  const hurry = (): Promise<unknown> =>
    service.database.query(`UPDATE webhook_delivery SET next_at = now() WHERE state = 'pending' AND next_at > now()`);

  it('loses no event, sends none of a rolled-back act, and keeps the order of each subject', async () => {
    const from = performance.now();
    await actAll();
    const acts = await committed();
    expect(acts.length).toBeGreaterThan(ACTS / 2);
    await eventually(
      async () => {
        await hurry();
        const [count] = await service.database.query<{ delivered: number; pending: number }>(
          `SELECT count(*) FILTER (WHERE state = 'delivered')::int AS delivered,
             count(*) FILTER (WHERE state <> 'delivered')::int AS pending FROM webhook_delivery`,
        );
        return count!;
      },
      ({ delivered, pending }) => delivered >= acts.length && pending === 0,
      90,
    );
    const { received } = receiver;
    const firsts = [...groupsOf(received, ({ event }) => event.id).values()].map((repeats) => {
      expect(new Set(repeats.map(({ id, text }) => `${id} ${text}`)).size).toBe(1);
      const [{ event }] = repeats as [RecordedDelivery];
      return { id: event.id, subject: event.subject!.id };
    });
    const bySubject = (all: readonly Act[]): Map<string, Act[]> => groupsOf(all, ({ subject }) => subject);
    expect(bySubject(firsts)).toEqual(bySubject(acts));
    const seconds = ((performance.now() - from) / 1_000).toFixed(0);
    process.stdout.write(
      `${INSTANCES} instances, seed ${SEED}: ${acts.length} events, ${received.length} deliveries, ${seconds} s; ` +
        `killed: ${JSON.stringify(kills)}\n`,
    );
  });
});
