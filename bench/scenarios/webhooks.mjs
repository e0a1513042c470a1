import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { send } from '../lib/browser.mjs';
import { cpuMs, residentMb } from '../lib/process.mjs';
import { inRounds } from '../lib/rounds.mjs';
import { startServer } from '../lib/servers.mjs';
import { median, quantile } from '../lib/statistics.mjs';
import { ADMIN, castellanServer } from '../targets.mjs';
import { loggingIn } from './sessions.mjs';

const RECEIVERS = 20;
const EVENTS_PER_SECOND = 1_000;
const SUBJECTS = 500;
const TICK_MS = 20;
const SETTLE_MS = 3_000;
const SAMPLES = 24;
const LOGINS = 320;
/** The acts of a family follow a rule, so each receiver gets a separate type: `group.paint_a` is `group.a_painted`. */
const LETTERS = [...'abcdefghijklmnopqrst'];

/** Acts as the service stores them, in one statement of one transaction, so that the load is that of the readers. */
const INSERT = `INSERT INTO audit_event (id, action, outcome, target_type, target_id, after)
  SELECT id, 'group.paint_' || letter, 'success', 'group', subject, '{"name":"bench"}'
  FROM unnest($1::uuid[], $2::text[], $3::text[]) AS act (id, letter, subject)`;

/** RFC 9562 §5.7, ascending within a call. */
function ids(count) {
  const time = Date.now().toString(16).padStart(12, '0');
  return Array.from({ length: count }, (_, index) => {
    const order = index.toString(16).padStart(3, '0');
    const random = randomBytes(8).toString('hex').slice(1);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-8${random.slice(0, 3)}-${random.slice(3)}`;
  });
}

const subjects = Array.from({ length: SUBJECTS }, () => ids(1)[0]);
const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

async function emit(databaseUrl, seconds) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const from = performance.now();
  let sent = 0;
  try {
    while (performance.now() - from < seconds * 1_000) {
      const due = Math.floor(((performance.now() - from) / 1_000) * EVENTS_PER_SECOND) - sent;
      const letters = Array.from({ length: due }, (_, index) => LETTERS[(sent + index) % RECEIVERS]);
      await client.query(INSERT, [ids(due), letters, letters.map(() => anyOf(subjects))]);
      sent += due;
      await sleep(TICK_MS);
    }
  } finally {
    await client.end();
  }
  return { sent, seconds: (performance.now() - from) / 1_000 };
}

/** A service that may call this machine, and an administrator who is logged in. */
async function hookedServer({ databases, redisUrl, name }) {
  const databaseUrl = await databases.create();
  const server = await castellanServer({ databaseUrl, redisUrl, name });
  const jar = new Map();
  await send(server, { ...server.login(ADMIN), jar });
  const updates = [{ key: 'security.allow_private_providers', value: true }];
  await send(server, { method: 'PUT', path: '/api/setting', body: { updates }, jar });
  const hook = (port, types) =>
    send(server, {
      method: 'POST',
      path: '/api/webhook',
      body: { name: types[0], url: `http://127.0.0.1:${port}/events`, types },
      jar,
    });
  return { ...server, databaseUrl, hook };
}

const startReceivers = async (count) => {
  const script = fileURLToPath(new URL('../servers/webhook-receivers.mjs', import.meta.url));
  const receivers = await startServer({ name: 'receivers', script, args: ['--receivers', String(count)] });
  return { ...receivers, ports: JSON.parse(await send(receivers, { path: '/ports' })) };
};

async function sampled(pid, seconds) {
  const samples = [];
  for (let taken = 0; taken < SAMPLES; taken++) {
    await sleep((seconds * 1_000) / SAMPLES);
    samples.push(residentMb(pid));
  }
  const part = SAMPLES / 6;
  return { startMb: median(samples.slice(0, part)), endMb: median(samples.slice(-part)) };
}

/** A thousand events per second, each for one of twenty receivers, of which one never answers. */
async function deliver(shared, { webhookSeconds, warmUpSeconds }) {
  const server = await hookedServer({ ...shared, name: 'webhooks' });
  const receivers = await startReceivers(RECEIVERS);
  for (const [index, port] of receivers.ports.entries()) await server.hook(port, [`group.${LETTERS[index]}_painted`]);
  await emit(server.databaseUrl, warmUpSeconds);
  await sleep(SETTLE_MS);
  await send(receivers, { method: 'POST', path: '/begin' });
  const from = cpuMs(server.pid);
  const [emitted, memory] = await Promise.all([
    emit(server.databaseUrl, webhookSeconds),
    sampled(server.pid, webhookSeconds),
  ]);
  await sleep(SETTLE_MS);
  const { delays, repeats, connections } = JSON.parse(await send(receivers, { path: '/figures' }));
  const cpu = cpuMs(server.pid) - from;
  await server.stop();
  await receivers.stop();
  if (delays.length === 0) {
    throw new Error('No event arrived: does a transaction of another database of this server hold events back?');
  }
  delays.sort((one, other) => one - other);
  // The first of each twenty is for the receiver that hangs.
  const expected = emitted.sent - Math.ceil(emitted.sent / RECEIVERS);
  return {
    seconds: webhookSeconds,
    eventsPerSecond: emitted.sent / emitted.seconds,
    missing: expected - delays.length,
    repeats,
    connections,
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    max: delays.at(-1),
    cpuUs: (cpu * 1_000) / delays.length,
    ...memory,
  };
}

/**
 * The share of the processor time of a login that its event takes: the time of a service that delivers
 * `login.succeeded` to a receiver, against one without webhooks, round by round.
 */
async function loginShare(shared, { rounds, warmUpSeconds }) {
  const without = await hookedServer({ ...shared, name: 'without webhooks' });
  const hooked = await hookedServer({ ...shared, name: 'with a webhook' });
  const receivers = await startReceivers(2);
  await hooked.hook(receivers.ports[1], ['login.succeeded']);
  const results = await inRounds([loggingIn(hooked, LOGINS), loggingIn(without, LOGINS)], { rounds, warmUpSeconds });
  for (const server of [without, hooked, receivers]) await server.stop();
  return { share: 1 - 1 / results[1].ratio.cpu, cpuUs: results[0].cpuUs };
}

/** Events on their way to other systems. */
export async function webhooks(shared, scale) {
  return { ...(await deliver(shared, scale)), login: await loginShare(shared, scale) };
}
