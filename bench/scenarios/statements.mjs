import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../lib/browser.mjs';
import { startServer } from '../lib/servers.mjs';
import { statementCounter } from '../lib/statement-counter.mjs';
import { castellanServer, newUser } from '../targets.mjs';
import { logIn } from './sessions.mjs';

/** A job or a reload of a cache, once a second, may run beside a request. The smallest count has none of them. */
const TIMES = 9;
/** Work that follows a response ends within this time. */
const SETTLE_MS = 100;

async function countedSmallest(counts, acts) {
  const found = [];
  for (const act of acts) {
    await sleep(SETTLE_MS);
    const before = { ...counts };
    await act();
    await sleep(SETTLE_MS);
    found.push({
      statements: counts.statements - before.statements,
      roundTrips: counts.roundTrips - before.roundTrips,
    });
  }
  const [, ...warm] = found;
  return warm.sort((one, other) => one.statements - other.statements || one.roundTrips - other.roundTrips)[0];
}

const repeated = (act) => Array.from({ length: TIMES }, () => act);

/** Statements and round trips to PostgreSQL of single requests, with Redis. */
export async function countStatements({ databases, redisUrl }) {
  const counter = await statementCounter(await databases.create());
  const first = await castellanServer({ databaseUrl: counter.url, redisUrl, name: 'counted' });
  try {
    const users = Array.from({ length: TIMES }, newUser);
    const jars = [];
    for (const user of users) {
      await send(first, first.register(user));
      jars.push(await logIn(first, user));
    }
    const [user] = users;
    const [jar] = jars;
    const kept = await logIn(first, user);
    const row = async (name, acts) => ({ name, ...(await countedSmallest(counter.counts, acts)) });
    const rows = [
      await row(
        'login',
        repeated(() => logIn(first, user)),
      ),
      await row(
        'refresh',
        repeated(() => send(first, { ...first.refresh, jar: kept })),
      ),
      await row(
        'session check, warm',
        repeated(() => send(first, { ...first.me, jar })),
      ),
    ];
    const second = await startServer({
      name: 'counted',
      script: 'dist/main.js',
      env: first.env,
      ready: '/health/ready',
    });
    const readBySecond = jars.map((one) => () => send(second, { ...first.me, jar: one }));
    rows.push(await row('session check, first on an instance, session in Redis', readBySecond));
    await second.stop();
    return rows;
  } finally {
    await first.stop();
    counter.close();
  }
}
