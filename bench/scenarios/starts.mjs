import { rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from '../lib/process.mjs';
import { startServer } from '../lib/servers.mjs';
import { median } from '../lib/statistics.mjs';
import { bareNestServer } from '../targets.mjs';

/** V8 gives back the garbage of the start after about half a minute. */
const IDLE_MS = 45_000;

async function start(make, { idleMs = 0 } = {}) {
  const server = await make();
  await sleep(idleMs);
  const result = { ms: server.readyMs, residentMb: residentMb(server.pid) };
  await server.stop();
  return result;
}

/**
 * The time from the start of the process to the first 2xx response. The modules, the image's bundle and the minimal
 * Nest app alternate.
 */
export async function starts({ env, rounds }) {
  const from = (script) => () => startServer({ name: 'castellan', script, env, ready: '/health/ready' });
  const makes = [from('dist/main.js'), from('dist/server/start.cjs'), bareNestServer];
  const results = makes.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const index of round % 2 === 0 ? [0, 1, 2] : [2, 1, 0]) results[index].push(await start(makes[index]));
  }
  const [modules, image, nest] = results.map((list) => list.map(({ ms }) => ms));
  return {
    modulesMs: median(modules),
    imageMs: median(image),
    nestMs: median(nest),
    imageRatio: median(image.map((ms, round) => ms / nest[round])),
    modulesRatio: median(modules.map((ms, round) => ms / nest[round])),
  };
}

/** The same on the embedded database, with a new data folder and with an existing one. */
export async function embeddedStarts({ env, rounds }) {
  const first = [];
  const again = [];
  for (let round = 0; round < rounds; round++) {
    const folder = await mkdtemp(join(tmpdir(), 'castellan-bench-'));
    // In production the service requires a database server.
    const own = { ...env, NODE_ENV: 'development', DATA_DIR: join(folder, 'data') };
    delete own.DATABASE_URL;
    delete own.REDIS_URL;
    const make = () =>
      startServer({ name: 'castellan, embedded', script: 'dist/main.js', env: own, ready: '/health/ready' });
    try {
      first.push((await start(make)).ms);
      again.push((await start(make)).ms);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return { firstMs: median(first), againMs: median(again) };
}

export async function idleMemory({ env }) {
  const make = () => startServer({ name: 'castellan', script: 'dist/main.js', env, ready: '/health/ready' });
  return (await start(make, { idleMs: IDLE_MS })).residentMb;
}
