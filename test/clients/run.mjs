// Runs every client in this folder against the built service: `npm run test:clients [-- name …]`.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from './service.mjs';

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.startsWith(part)));
const service = await startService();
try {
  const { status } = spawnSync(
    process.execPath,
    ['--test', '--test-concurrency=1', '--test-reporter=spec', ...files.map((name) => join(import.meta.dirname, name))],
    { stdio: 'inherit', env: { ...process.env, CASTELLAN_ISSUER: service.issuer } },
  );
  process.exitCode = status ?? 1;
} finally {
  await service.stop();
}
