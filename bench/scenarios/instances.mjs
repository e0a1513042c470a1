import { cookieHeader, send } from '../lib/browser.mjs';
import { startServer } from '../lib/servers.mjs';
import { quantile } from '../lib/statistics.mjs';
import { castellanServer, newUser } from '../targets.mjs';
import { logIn } from './sessions.mjs';

const UNAUTHENTICATED = 401;

/** Milliseconds after `from` until the instance last answered with the ended session. 0 if it never did. */
async function lastStaleMs(instance, path, jar, from) {
  for (let last = 0; ;) {
    const sent = performance.now();
    const answer = await fetch(instance.url + path, { headers: { cookie: cookieHeader(jar) } });
    await answer.arrayBuffer();
    if (answer.status === UNAUTHENTICATED) return last;
    last = sent - from;
  }
}

/** How long the other two of three instances accept a session after the first one responded to its logout. */
export async function staleAnswers({ databases, redisUrl, logouts }) {
  const first = await castellanServer({ databaseUrl: await databases.create(), redisUrl, name: 'instance 1' });
  const more = (name) => startServer({ name, script: 'dist/main.js', env: first.env, ready: '/health/ready' });
  const others = [await more('instance 2'), await more('instance 3')];
  try {
    const user = newUser();
    await send(first, first.register(user));
    const times = [];
    for (let count = 0; count < logouts; count++) {
      const jar = await logIn(first, user);
      for (const other of others) await send(other, { ...first.me, jar });
      await send(first, { ...first.logout, jar: new Map(jar) });
      const from = performance.now();
      times.push(...(await Promise.all(others.map((other) => lastStaleMs(other, first.me.path, jar, from)))));
    }
    times.sort((one, other) => one - other);
    return { logouts, p99: quantile(times, 0.99), max: times.at(-1) };
  } finally {
    for (const server of [first, ...others]) await server.stop();
  }
}
