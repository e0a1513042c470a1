/**
 * Runs npm scripts at the same time, as many as there are processors, in the order given:
 * `node scripts/at-once.mjs lint 'typecheck -w web'`. Prints the output of each when it ends, and fails if one fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';

const waiting = process.argv.slice(2);
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

async function work() {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
    const begin = performance.now();
    const output = await run(script);
    const seconds = ((performance.now() - begin) / 1_000).toFixed(0);
    process.stdout.write(`--- npm run ${script} (${seconds} s)\n${output}`);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
if (failed.length > 0) {
  process.stdout.write(`Failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
