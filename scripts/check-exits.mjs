/*
 * Runs each of the project's processes many times, several at once to put load on the machine, and fails when one hangs
 * at exit (nodejs/node#54918). Run after a build: node scripts/check-exits.mjs [--runs 200] [--only ui-budgets].
 *
 * Covered: what builds and checks (nest build, swc, pages, bundle, schema, texts, words, budgets), the command line, the
 * server, and the process of the tests that starts instances. Not covered: tsc, jest, eslint and the benchmarks.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { parseArgs } from 'node:util';
import { calmEnd } from './calm-end.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new RangeError('--runs takes a whole number from 1');

const AT_ONCE = availableParallelism() + 3;
const LOOK_MS = 500;
/** A deadlocked process uses no processor time and has no runnable thread. A slow one has. */
const STILL_LOOKS = 24;
/** The limit where /proc is missing. */
const MAX_MS = 300_000;

const root = join(import.meta.dirname, '..');
/** A private copy of the sources of the server, to build into. */
function copyOfSources() {
  const folder = mkdtempSync(join(tmpdir(), 'check-exits-'));
  for (const name of ['src', 'migrations']) cpSync(join(root, name), join(folder, name), { recursive: true });
  const links = ['node_modules', 'package.json', 'nest-cli.json', '.swcrc', 'tsconfig.json', 'tsconfig.server.json'];
  for (const name of links) symlinkSync(join(root, name), join(folder, name));
  return folder;
}

/** A private copy of the build, because builds that run at the same time must not write to the same folder. */
function copyOfBuild() {
  const folder = mkdtempSync(join(tmpdir(), 'check-exits-'));
  const skipped = new Set(['server', 'web', 'types']);
  cpSync(join(root, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !skipped.has(path.slice(join(root, 'dist').length + 1)),
  });
  for (const name of ['node_modules', 'i18n', 'package.json']) symlinkSync(join(root, name), join(folder, name));
  return folder;
}

const { PATH, HOME } = process.env;
const server = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'info',
  LOG_FORMAT: 'json',
  ENCRYPTION_KEYS: `exits:${randomBytes(32).toString('base64url')}`,
};

/**
 * The processes and their arguments. `stopAt`: the output after which SIGTERM is sent. `inCopy`: writes into the build.
 * `inSources`: builds from the sources. `orders`: the messages for a process that replies to each.
 */
const ends = {
  'ui-budgets': { args: ['scripts/ui-budgets.mjs'] },
  'nest-build': { args: [join(root, 'node_modules/@nestjs/cli/bin/nest.js'), 'build'], inSources: true },
  swc: {
    args: [join(root, 'node_modules/@swc/cli/bin/swc.js'), 'migrations', '-d', 'dist/migrations', '-q'],
    inSources: true,
  },
  'check-words': { args: ['scripts/check-words.mjs', '--report'] },
  'check-texts': { args: ['scripts/check-texts.mjs'] },
  schema: { args: ['packages/client/make-schema.mjs'] },
  bundle: { args: ['deploy/image/bundle.mjs', '--from'], inCopy: true },
  pages: { args: ['web/build.mjs', '--out'], inCopy: true },
  'command-line': { args: ['dist/cli.js', 'migrate', 'status'], env: server, withData: true },
  server: { args: ['dist/main.js'], env: server, withData: true, stopAt: 'Castellan is ready' },
  'start-instances': {
    args: ['test/support/service/start-instances.cjs', join(root, 'dist')],
    withData: true,
    orders: (folder) => [{ start: { ...server, DATA_DIR: folder } }, { stop: true }],
  },
};

/** The state of each thread from /proc. Empty where /proc is missing or the process has exited. */
function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const folder = `/proc/${pid}/task/${thread}`;
      const fields = readFileSync(`${folder}/stat`, 'utf8').split(') ').at(-1).split(' ');
      return {
        wants: fields[0] === 'R' || fields[0] === 'D',
        ticks: Number(fields[11]) + Number(fields[12]),
        children: readFileSync(`${folder}/children`, 'utf8').split(' ').filter(Boolean),
      };
    });
  } catch {
    return [];
  }
}

/** The process and its descendants, because it may just be waiting for one of them. */
function familyOf(pid) {
  const threads = threadsOf(pid);
  return [{ pid, threads }, ...threads.flatMap(({ children }) => children.flatMap((child) => familyOf(Number(child))))];
}

/** The clock ticks of all threads. Undefined when a thread is runnable or when nothing is known. */
function ticks(family) {
  const threads = family.flatMap((one) => one.threads);
  if (threads.length === 0 || threads.some(({ wants }) => wants)) return undefined;
  return threads.reduce((sum, one) => sum + one.ticks, 0);
}

function kill(family) {
  for (const { pid } of family) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already exited.
    }
  }
}

/** Resolves with the result: `{ hung, code, output }`. */
function run({ args, env = {}, stopAt, inCopy, inSources, withData, orders }, copy) {
  const folder = withData ? mkdtempSync(join(tmpdir(), 'check-exits-')) : copy;
  const child = spawn(process.execPath, inCopy ? [...args, folder] : args, {
    cwd: inSources ? folder : root,
    env: { PATH, HOME, ...env, ...(withData && { DATA_DIR: folder }) },
    stdio: ['ignore', 'pipe', 'pipe', ...(orders ? ['ipc'] : [])],
  });
  if (orders) give(orders(folder), child);
  return watched(child, stopAt).finally(() => {
    if (withData) remove(folder);
  });
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true });

function copyOf({ inCopy, inSources }) {
  if (inCopy) return copyOfBuild();
  return inSources ? copyOfSources() : undefined;
}

/** Sends an order at each reply of the process, and closes the channel after the last. */
function give(orders, child) {
  const left = [...orders];
  child.on('message', ({ failed }) => {
    if (failed !== undefined) console.error(failed);
    const order = failed === undefined ? left.shift() : undefined;
    if (order === undefined) child.disconnect();
    else child.send(order);
  });
}

function watched(child, stopAt) {
  let [output, isStopped, hung] = ['', stopAt === undefined, false];
  const listen = (text) => {
    output = (output + text).slice(-20_000);
    if (isStopped || !output.includes(stopAt)) return;
    isStopped = true;
    child.kill('SIGTERM');
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', listen);
  const timer = setInterval(
    watcher(child.pid, (family) => {
      hung = true;
      kill(family);
    }),
    LOOK_MS,
  );
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // `close` is not emitted after `disconnect`.
    child.on(child.channel ? 'exit' : 'close', (code) => {
      clearInterval(timer);
      resolve({ hung, code, output });
    });
  });
}

function watcher(pid, onHang) {
  const begun = Date.now();
  let [last, still] = [undefined, 0];
  return () => {
    const family = familyOf(pid);
    const now = ticks(family);
    still = now !== undefined && now === last ? still + 1 : 0;
    last = now;
    const isUnknown = family.every(({ threads }) => threads.length === 0);
    if (still >= STILL_LOOKS || (isUnknown && Date.now() - begun > MAX_MS)) onHang(family);
  };
}

async function check(name) {
  const found = { hung: 0, failed: 0, output: '' };
  let left = runs;
  // Processes that run one after another share a copy, because copying takes longer than they do.
  const inTurn = async () => {
    const copy = copyOf(ends[name]);
    while (left-- > 0) {
      const { hung, code, output } = await run(ends[name], copy);
      if (hung) found.hung += 1;
      else if (code !== 0) Object.assign(found, { failed: found.failed + 1, output });
    }
    if (copy) remove(copy);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, inTurn));
  console.log(`${name}: ${runs} ends, ${found.hung} hung, ${found.failed} failed`);
  if (found.failed > 0) console.error(found.output);
  return found.hung + found.failed === 0;
}

if (values.help) {
  console.log(
    `node scripts/check-exits.mjs [--runs 200] [--only NAME]\n\nNAME is one of ${Object.keys(ends).join(', ')}`,
  );
  process.exit();
}
const names = Object.keys(ends).filter((name) => values.only === undefined || name === values.only);
if (names.length === 0) throw new RangeError(`--only takes one of ${Object.keys(ends).join(', ')}`);
for (const name of names) if (!(await check(name))) process.exitCode = 1;
await calmEnd();
