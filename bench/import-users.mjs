/*
 * Measures the time and memory of an import that is killed halfway and then run again:
 *
 *   npm run build:server && node bench/import-users.mjs [postgres://… [users]]
 *
 * Creates a temporary database on the server and a temporary file, and removes both at the end. Fails when a user is
 * missing, when the second run does not import exactly the remaining users, or when a process uses more than 400 MiB.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { once } from 'node:events';
import pg from 'pg';
import { writeRealm } from './lib/keycloak-realm.mjs';

const [server = 'postgres://postgres@127.0.0.1:5432/postgres', size = '100000'] = process.argv.slice(2);
const users = Number(size);
const MAX_MIB = 400;
const SAMPLE_MS = 1_000;

const log = (line) => process.stdout.write(`${line}\n`);
const name = `castellan_import_${randomBytes(4).toString('hex')}`;
const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString();
const file = join(tmpdir(), `${name}.json`);

async function onServer(statement, database = server) {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const environment = {
  ...process.env,
  NODE_ENV: 'test',
  DATABASE_URL: url,
  ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64url')}`,
};

/** Runs a command, which `watch` may kill. Returns its output, its peak memory in MiB and its duration in seconds. */
async function cli(words, watch = () => undefined) {
  const started = performance.now();
  const child = spawn(process.execPath, ['dist/cli.js', ...words], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  let peak = 0;
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    await watch(child);
  }, SAMPLE_MS);
  const [code, signal] = await once(child, 'close');
  clearInterval(timer);
  return { out, code, signal, peak: Math.round(peak), seconds: ((performance.now() - started) / 1_000).toFixed(1) };
}

/** Starts the server, which creates the roles, and stops it as soon as they exist. */
async function prepare() {
  const child = spawn(process.execPath, ['dist/main.js'], {
    env: { ...environment, PORT: '0', ADMIN_PASSWORD: randomBytes(12).toString('hex') },
    stdio: 'ignore',
  });
  for (let ready = false; !ready;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    ready = await onServer(`SELECT 1 FROM role`, url).then(
      (rows) => rows.length > 1,
      () => false,
    );
  }
  child.kill('SIGTERM');
  await once(child, 'close');
}

const imported = async () => Number((await onServer('SELECT count(*) AS n FROM imported_user', url))[0].n);

function hold(condition, sentence) {
  if (!condition) throw new Error(sentence);
}

await onServer(`CREATE DATABASE ${name}`);
try {
  await prepare();
  await writeRealm(file, users);
  const command = ['import', '--from', 'keycloak', file, '--roles'];
  const killed = await cli(command, async (child) => {
    if ((await imported()) > users / 2) child.kill('SIGKILL');
  });
  const half = await imported();
  hold(killed.signal === 'SIGKILL' && half < users, `The first run was not killed halfway: ${killed.out}`);
  log(`killed after ${killed.seconds} s with ${half} of ${users} users, peak ${killed.peak} MiB`);
  for (const what of ['the rest', 'a repeated run']) {
    const run = await cli(command);
    log(`${what}: ${run.seconds} s, peak ${run.peak} MiB: ${run.out.trim()}`);
    hold(run.peak < MAX_MIB, `The import used ${run.peak} MiB`);
    const { made, unchanged } = JSON.parse(run.out.trim().split('\n').at(-1));
    hold(made + unchanged === users, 'A user is missing');
    hold(made === (what === 'the rest' ? users - half : 0), 'A user was created twice, or not at all');
  }
  const out = await cli(['export']);
  const [{ n }] = await onServer('SELECT count(*) AS n FROM user_account', url);
  hold(out.out.split('\n').length === Number(n) + 1, 'The export is incomplete');
  log(`export: ${out.seconds} s, peak ${out.peak} MiB`);
} finally {
  await rm(file, { force: true });
  await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}
