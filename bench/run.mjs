/*
 * Compares the service with peers and bare limits, and writes docs/performance.md and
 * bench/figures.md. A partial run prints its report, unless `--out` names a file:
 *   npm run bench [-- --quick] [--only session-check,login,…] [--rounds 5] [--users 1000000] [--out FILE]
 * Needs PostgreSQL (BENCH_DATABASE_URL, default postgres://postgres@127.0.0.1:5432/postgres), where it creates and
 * drops databases, and Redis (BENCH_REDIS_URL, default redis://127.0.0.1:6379). Fails when a measurement fails.
 */
import { createClient } from '@redis/client';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { comparisons, serverPool } from './comparisons.mjs';
import { Databases } from './lib/databases.mjs';
import { fillDatabase } from './lib/filled-database.mjs';
import { stopAll } from './lib/servers.mjs';
import { pagesOf } from './pages.mjs';
import { writeReport } from './report.mjs';
import { growth } from './scenarios/growth.mjs';
import { importUsers } from './scenarios/imports.mjs';
import { indexing } from './scenarios/indexing.mjs';
import { staleAnswers } from './scenarios/instances.mjs';
import { memoryGrowth } from './scenarios/memory-growth.mjs';
import { organizations } from './scenarios/organizations.mjs';
import { overload } from './scenarios/overload.mjs';
import { firstVisits } from './scenarios/pages.mjs';
import { embeddedStarts, idleMemory, starts } from './scenarios/starts.mjs';
import { countStatements } from './scenarios/statements.mjs';
import { webhooks } from './scenarios/webhooks.mjs';
import { castellanServer } from './targets.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    users: { type: 'string' },
    out: { type: 'string' },
  },
});
const PARTS = [
  ...comparisons.map(({ id }) => id),
  'check',
  'start',
  'embedded',
  'memory',
  'memory-growth',
  'statements',
  'instances',
  'organizations',
  'overload',
  'pages',
  'import',
  'webhooks',
  'growth',
];
const only = values.only?.split(',') ?? PARTS;
const unknown = only.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) throw new Error(`--only accepts ${PARTS.join(', ')}, not ${unknown.join(', ')}`);
const wanted = (part) => only.includes(part);
/** A partial run must not overwrite the report of a full one. */
const isWhole = !values.quick && PARTS.every(wanted) && !values.rounds && !values.users;

const scale = values.quick
  ? {
      rounds: 2,
      warmUpSeconds: 2,
      seconds: 1,
      hashes: 64,
      sessions: 96,
      starts: 2,
      embedded: 1,
      users: 100_000,
      growthRounds: 2,
      growthSeconds: 0.5,
      minutes: 1,
      overloadSeconds: 10,
      visits: 1,
      logouts: 50,
      organizations: 10_000,
      membershipChanges: 60,
      imported: 1_000,
      webhookSeconds: 15,
    }
  : {
      rounds: 5,
      warmUpSeconds: 10,
      seconds: 2,
      hashes: 320,
      sessions: 320,
      starts: 5,
      embedded: 3,
      users: 1_000_000,
      growthRounds: 3,
      growthSeconds: 1.5,
      minutes: 8,
      overloadSeconds: 60,
      visits: 5,
      logouts: 500,
      organizations: 100_000,
      membershipChanges: 300,
      imported: 10_000,
      webhookSeconds: 120,
    };
if (values.rounds) Object.assign(scale, { rounds: Number(values.rounds), growthRounds: Number(values.rounds) });
if (values.users) scale.users = Number(values.users);
const FEW_USERS = 1_000;

const databases = new Databases(process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres');
const redisUrl = process.env.BENCH_REDIS_URL ?? 'redis://127.0.0.1:6379';
const say = (text) => process.stderr.write(`${text}\n`);

async function redisVersion() {
  const client = createClient({ url: redisUrl });
  await client.connect();
  const info = await client.info('server');
  await client.quit();
  return /redis_version:(\S+)/.exec(info)?.[1] ?? 'unknown';
}

async function compareAll(servers) {
  const found = [];
  for (const comparison of comparisons.filter(({ id }) => wanted(id))) {
    const results = await comparison.run({ servers, ...scale });
    found.push({ ...comparison, results });
    for (const { name, perSecond, cpuUs, ratio } of results) {
      const shown = `${perSecond.toFixed(0)}/s, ${cpuUs.toFixed(0)} µs, ratio ${ratio.perSecond.toFixed(2)}, processor ${ratio.cpu.toFixed(2)}`;
      say(`${comparison.id}: ${name}: ${shown}`);
    }
  }
  return found;
}

async function measureStarts(servers, compared) {
  const { env } = await servers.castellan();
  const loads = compared
    .flatMap(({ results }) => results.filter(({ name }) => name === 'castellan'))
    .map(({ residentMb }) => residentMb);
  const measured = (name) =>
    Number(execFileSync(process.execPath, [fileURLToPath(new URL(`scenarios/${name}.mjs`, import.meta.url))]));
  const found = {
    ...(wanted('check') && {
      checkNs: measured('permission-check'),
      remoteCheckNs: measured('remote-guard-check'),
    }),
    ...(wanted('start') && { postgres: await starts({ env, rounds: scale.starts }) }),
    ...(wanted('embedded') && { embedded: await embeddedStarts({ env, rounds: scale.embedded }) }),
    ...(wanted('memory') && {
      memory: { idleMb: await idleMemory({ env }), ...(loads.length > 0 && { loadMb: Math.max(...loads) }) },
    }),
  };
  say(JSON.stringify(found));
  return found;
}

/** What is measured once instead of in rounds. */
async function measureOnce(servers) {
  const shared = { databases, redisUrl };
  const found = {
    ...(wanted('memory-growth') && {
      memoryGrowth: await memoryGrowth(await servers.castellan(), { minutes: scale.minutes }),
    }),
    ...(wanted('statements') && { statements: await countStatements(shared) }),
    ...(wanted('instances') && { instances: await staleAnswers({ ...shared, logouts: scale.logouts }) }),
    ...(wanted('organizations') && { organizations: await organizations(shared, scale) }),
    ...(wanted('overload') && { overload: await overload(await servers.castellan(), scale) }),
    ...(wanted('pages') && { pages: await firstVisits(await servers.castellan(), scale) }),
    ...(wanted('import') && { imported: await importUsers({ ...shared, users: scale.imported }) }),
    ...(wanted('webhooks') && { webhooks: await webhooks(shared, scale) }),
  };
  say(JSON.stringify(found));
  return found;
}

async function measureGrowth() {
  if (!wanted('growth')) return undefined;
  const sizes = [FEW_USERS, scale.users];
  const [small, large] = await Promise.all(
    sizes.map(async (users) => {
      const databaseUrl = await databases.create();
      const first = await castellanServer({ databaseUrl, redisUrl, name: `${users} users` });
      await fillDatabase(databaseUrl, users);
      return first;
    }),
  );
  const results = await growth({
    small,
    large,
    rounds: scale.growthRounds,
    warmUpSeconds: scale.growthSeconds,
    seconds: scale.growthSeconds,
    hashes: scale.hashes / 2,
  });
  for (const { name, small: few, large: many, ratio } of results) {
    say(`growth: ${name}: ${few.p50.toFixed(1)} to ${many.p50.toFixed(1)} ms, ${ratio.toFixed(2)} times`);
  }
  const indexed = await indexing(large);
  say(`growth: an attribute becomes searchable: ${JSON.stringify(indexed)}`);
  return { sizes, results, indexed };
}

async function main() {
  const from = performance.now();
  const servers = serverPool({ databases, redisUrl });
  try {
    const compared = await compareAll(servers);
    const startFigures = await measureStarts(servers, compared);
    const onceFigures = await measureOnce(servers);
    await servers.stopHelpers();
    await stopAll();
    const grown = await measureGrowth();
    const busy = compared.flatMap(({ results }) => results.map((result) => result.busy));
    const { text, missed } = writeReport({
      command: ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' '),
      minutes: (performance.now() - from) / 60_000,
      rounds: scale.rounds,
      warmUpSeconds: scale.warmUpSeconds,
      postgres: await databases.version(),
      redis: await redisVersion(),
      busy: busy.length > 0 ? busy.reduce((sum, one) => sum + one, 0) / busy.length : 0,
      comparisons: compared,
      starts: startFigures,
      once: onceFigures,
      growth: grown,
      skipped: PARTS.filter((part) => !wanted(part)),
    });
    if (values.out !== undefined) await writeFile(values.out, text);
    else if (isWhole) for (const [file, page] of Object.entries(pagesOf(text))) await writeFile(file, page);
    else process.stdout.write(text);
    say(`Wrote the report, ${missed} goals are not met`);
  } finally {
    await servers.stopHelpers();
    await stopAll();
    await databases.dropAll();
  }
}

await main();
