// Builds and restarts the service at every change of its code or pages. Run after a build: `npm run dev`.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';

const QUIET_MS = 150;
const inherit = { stdio: 'inherit' };
const children = new Set();

function run(command, args) {
  const child = spawn(command, args, inherit);
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}

/** Only one build runs at a time. A change during a build starts another build after it. */
let timer;
let isBuilding = false;
let isStale = false;
function rebuild() {
  isStale = isBuilding;
  if (isBuilding) return;
  isBuilding = true;
  run('npm', ['run', '-s', 'build:server']).on('exit', () => {
    isBuilding = false;
    if (isStale) rebuild();
  });
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(rebuild, QUIET_MS);
}

for (const folder of ['src', 'migrations', 'i18n']) watch(folder, { recursive: true }, soon);
for (const entry of ['auth', 'console']) {
  run('npm', ['exec', '-w', 'web', '--', 'vite', 'build', '--watch', '-c', `vite.${entry}.config.ts`, '-l', 'warn']);
}
run(process.execPath, ['--watch-path=dist', '--watch-preserve-output', 'dist/main.js']);

const stop = () => {
  for (const child of children) child.kill();
  process.exit();
};
process.on('SIGINT', stop).on('SIGTERM', stop);
