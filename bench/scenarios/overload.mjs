import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { forEach } from '../lib/browser.mjs';
import { residentMb } from '../lib/process.mjs';
import { quantile } from '../lib/statistics.mjs';
import { newUser } from '../targets.mjs';
import { loggingIn } from './sessions.mjs';

const TIMES_THE_RATE = 4;
const TICK_MS = 20;
const PROBE_MS = 100;
const SAMPLE_MS = 500;
const PROBE_LIMIT_MS = 20_000;
/** Logins of one user wait for each other's row. */
const USERS = 64;
/** A login is back to normal when it takes at most this many times as long as before. */
const NORMAL = 3;

const clock = () => performance.now();

/** Sends the request and resolves with the status and the headers; an error of the connection is status 0. */
function sent(target, { method = 'GET', path, body }, agent) {
  const text = body && JSON.stringify(body);
  const headers = {
    ...target.headers,
    ...(text && { 'content-type': 'application/json', 'content-length': text.length }),
  };
  return new Promise((resolve) => {
    const from = clock();
    const end = (status, answered = {}) => resolve({ status, headers: answered, ms: clock() - from });
    const asked = request(target.url + path, { method, agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => end(answer.statusCode, answer.headers));
      answer.once('error', () => end(0));
    });
    asked.once('error', () => end(0));
    asked.end(text);
  });
}

const isRefused = ({ status, headers }) => status === 503 && Number(headers['retry-after']) > 0;

async function repeatUntil(isOver, everyMs, act) {
  while (!isOver()) {
    await act();
    await sleep(everyMs);
  }
}

/**
 * Starts `perSecond` logins a second for `seconds`, whether or not earlier ones were answered.
 * @returns promises of the answers, some of which are still to come.
 */
async function flood(target, logins, { perSecond, seconds, agent }) {
  const answers = [];
  const from = clock();
  for (let asked = 0; clock() - from < seconds * 1_000;) {
    const due = Math.floor(((clock() - from) / 1_000) * perSecond);
    for (; asked < due; asked++) answers.push(sent(target, logins[asked % logins.length], agent));
    await sleep(TICK_MS);
  }
  return answers;
}

async function secondsUntilNormal(target, login, normalMs) {
  const agent = new Agent({ keepAlive: true });
  const from = clock();
  try {
    while (clock() - from < PROBE_LIMIT_MS) {
      const { status, ms } = await sent(target, login, agent);
      if (status === 200 && ms <= normalMs * NORMAL) return (clock() - from) / 1_000;
      await sleep(PROBE_MS);
    }
    return PROBE_LIMIT_MS / 1_000;
  } finally {
    agent.destroy();
  }
}

async function medianLogin(target, login) {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  for (let taken = 0; taken < 15; taken++) times.push((await sent(target, login, agent)).ms);
  agent.destroy();
  return quantile(
    times.sort((one, other) => one - other),
    0.5,
  );
}

/** Logins at four times the rate that the service can serve, beside probes of its liveness. */
export async function overload(target, { overloadSeconds: seconds, hashes }) {
  const agent = new Agent({ keepAlive: true });
  const users = Array.from({ length: USERS }, newUser);
  await forEach(users, (user) => sent(target, target.register(user), agent));
  const logins = users.map((user) => target.login(user));
  const [login] = logins;
  const { perSecond: knee } = await loggingIn({ ...target, users: undefined }, hashes).measure();
  const normalMs = await medianLogin(target, login);
  let isOver = false;
  const probes = [];
  const memory = [];
  const watching = [
    repeatUntil(
      () => isOver,
      PROBE_MS,
      async () => probes.push(await sent(target, { path: '/health/live' }, agent)),
    ),
    repeatUntil(
      () => isOver,
      SAMPLE_MS,
      async () => memory.push(residentMb(target.pid)),
    ),
  ];
  const floodAgent = new Agent({ keepAlive: true });
  const asked = await flood(target, logins, { perSecond: knee * TIMES_THE_RATE, seconds, agent: floodAgent });
  const normalAfter = await secondsUntilNormal(target, login, normalMs);
  const answers = await Promise.all(asked);
  isOver = true;
  await Promise.all(watching);
  for (const used of [agent, floodAgent]) used.destroy();
  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(isRefused);
  const sorted = (list) => list.map(({ ms }) => ms).sort((one, other) => one - other);
  return {
    seconds,
    knee,
    asked: answers.length / seconds,
    served: served.length / seconds,
    refused: refused.length / seconds,
    others: answers.length - served.length - refused.length,
    servedP99: quantile(sorted(served), 0.99),
    refusedP99: refused.length > 0 ? quantile(sorted(refused), 0.99) : 0,
    liveFailed: probes.filter(({ status }) => status !== 200).length,
    liveP99: quantile(sorted(probes), 0.99),
    memoryMb: Math.max(...memory),
    normalAfter,
  };
}
