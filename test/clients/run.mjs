// Runs every client in this folder against the built service: `npm run test:clients [-- name …]`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from './service.mjs';

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.startsWith(part)));
/** They mostly wait for the registry, so each runs beside the others. */
const isWalk = (name) => name.startsWith('readme-');

/** Runs files one after the other, and returns whether all passed. */
async function run(names, issuer) {
  if (names.length === 0) return true;
  const child = spawn(
    process.execPath,
    ['--test', '--test-concurrency=1', '--test-reporter=spec', ...names.map((name) => join(import.meta.dirname, name))],
    { stdio: 'inherit', env: { ...process.env, CASTELLAN_ISSUER: issuer } },
  );
  const [status] = await once(child, 'close');
  return status === 0;
}

const service = await startService();
try {
  const lists = [...files.filter(isWalk).map((name) => [name]), files.filter((name) => !isWalk(name))];
  const passed = await Promise.all(lists.map((names) => run(names, service.issuer)));
  process.exitCode = passed.every(Boolean) ? 0 : 1;
} finally {
  await service.stop();
}
