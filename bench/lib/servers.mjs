import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_MS = 60_000;
const STOP_MS = 10_000;
const running = new Set();

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The environment of a benchmarked server: the given variables, and none that configure the service in this shell. */
function environment(own) {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR && { TMPDIR }), NODE_ENV: 'production', ...own };
}

async function untilReady(server, path) {
  const until = performance.now() + READY_MS;
  for (;;) {
    if (server.child.exitCode !== null) throw new Error(`${server.name} exited during its start:\n${server.output()}`);
    try {
      const answer = await fetch(server.url + path, { signal: AbortSignal.timeout(2_000) });
      await answer.arrayBuffer();
      if (answer.ok) return;
    } catch {
      // Not listening yet.
    }
    if (performance.now() > until) throw new Error(`${server.name} did not become ready:\n${server.output()}`);
    await sleep(5);
  }
}

/**
 * Starts a script as a server on a free port, passed as PORT, and waits for the first 2xx response.
 * @returns the time from the start of the process to that response in ms, and how to reach and stop the server.
 */
export async function startServer({ name, script, args = [], env = {}, ready = '/ready', nodeArgs = [] }) {
  const port = await freePort();
  const from = performance.now();
  const child = spawn(process.execPath, [...nodeArgs, script, ...args], {
    cwd: ROOT,
    env: environment({ PORT: String(port), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  const keep = (chunk) => (output = (output + chunk).slice(-4_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const server = { name, url: `http://127.0.0.1:${port}`, pid: child.pid, child, output: () => output };
  await untilReady(server, ready);
  return { ...server, readyMs: performance.now() - from, stop: () => stop(child) };
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}

/** Runs a script until it exits. Throws its output when it fails. */
export async function runScript(script, args, env) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} exited with ${code}:\n${output.slice(-4_000)}`);
}

/** Stops every running server, also after an error. */
export const stopAll = () => Promise.all([...running].map(stop));
