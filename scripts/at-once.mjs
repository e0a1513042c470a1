/**
 * Runs npm scripts at the same time, as many as there are processors, in the order given:
 * `node scripts/at-once.mjs lint 'typecheck -w web'`. A script that mostly waits runs besides: `--beside test:clients`.
 * Prints the output of each when it ends. After a failure it fails, and starts no more, except with `--all`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';

const { values, positionals: waiting } = parseArgs({
  options: { all: { type: 'boolean', default: false }, beside: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
const failed = [];

/** Runs a script with its arguments, and returns its output, both streams in order of arrival. */
async function run(script) {
  const child = spawn('npm', ['run', '--silent', ...script.split(' ')], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  if (code !== 0) failed.push(script);
  return output;
}

async function report(script) {
  const begin = performance.now();
  const output = await run(script);
  const seconds = ((performance.now() - begin) / 1_000).toFixed(0);
  process.stdout.write(`--- npm run ${script} (${seconds} s)\n${output}`);
}

async function work() {
  while (waiting.length > 0 && (values.all || failed.length === 0)) await report(waiting.shift());
}

await Promise.all([...values.beside.map(report), ...Array.from({ length: availableParallelism() }, work)]);
if (failed.length > 0) {
  if (waiting.length > 0) process.stdout.write(`Not run: ${waiting.join(', ')}\n`);
  process.stdout.write(`Failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
