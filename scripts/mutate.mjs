/*
 * Changes one place of the security code at a time in a temporary copy, and runs the tests of its folder and then the
 * type check, of which one must fail. Draws the places by a seed; wants what the tests want (TEST_DATABASE_URL and
 * TEST_REDIS_URL for servers):
 * `node scripts/mutate.mjs [--seed 1] [--count 60] [--only src/session] [--timeout 300]`
 * Writes .tmp/mutations.json. Fails when more than 3 % of the changes pass all tests without an explanation in
 * scripts/mutations-explained.json.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { calmEnd } from './calm-end.mjs';
import { isSyntaxValid, mutantsOf } from './mutations/mutators.mjs';
import { lineOf, printTable, readExplained, summaryOf, writeResults } from './mutations/report.mjs';
import { filesToMutate, folders, stepsFor } from './mutations/targets.mjs';
import { TreeCopy } from './mutations/tree.mjs';

const MAX_UNEXPLAINED = 0.03;

const root = join(import.meta.dirname, '..');
const resultFile = join(root, '.tmp', 'mutations.json');
const options = readOptions();

function readOptions() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '60' },
      only: { type: 'string' },
      timeout: { type: 'string', default: '300' },
    },
  });
  const whole = (name) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1) throw new RangeError(`--${name} takes a whole number from 1`);
    return value;
  };
  return { seed: whole('seed'), count: whole('count'), timeoutMs: whole('timeout') * 1_000, only: values.only };
}

/** Mulberry32: a small generator of numbers from 0 to 1 that a seed repeats. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled(list, random) {
  const copy = [...list];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [copy[last], copy[other]] = [copy[other], copy[last]];
  }
  return copy;
}

function allMutants() {
  const files = [...new Set(folders.flatMap((folder) => filesToMutate(root, folder)))];
  return files
    .filter((file) => options.only === undefined || file.startsWith(options.only))
    .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
}

/** Those that do not compile are left out. */
function draw(mutants) {
  const drawn = [];
  for (const mutant of shuffled(mutants, generator(options.seed))) {
    if (drawn.length === options.count) break;
    if (isSyntaxValid(mutant)) drawn.push(mutant);
  }
  return drawn;
}

/** The first step that fails decides. */
async function outcomeOf(tree, steps) {
  for (const specs of steps) {
    const { result, failure } = await tree.run(specs, options.timeoutMs);
    if (result !== 'passed') return { result: result === 'failed' ? 'killed' : 'timeout', by: failure };
  }
  return (await tree.compiles(options.timeoutMs)) ? { result: 'survived' } : { result: 'killed', by: 'type check' };
}

async function test(tree, mutant, explain) {
  const { folder, steps } = stepsFor(root, mutant.file);
  const begun = Date.now();
  const outcome = await tree.with(mutant, () => outcomeOf(tree, steps));
  const reason = outcome.result === 'survived' ? explain(mutant) : undefined;
  return { ...mutant, folder, ...outcome, reason, seconds: (Date.now() - begun) / 1_000 };
}

/** Without a change, all must pass: otherwise every mutant would count as killed. */
async function assertGreen(tree, drawn) {
  const byFolder = new Map(drawn.map(({ file }) => stepsFor(root, file)).map((found) => [found.folder, found.steps]));
  for (const [folder, steps] of byFolder) {
    const begun = Date.now();
    for (const specs of steps) {
      const { result, failure } = await tree.run(specs, options.timeoutMs * 2);
      if (result !== 'passed') throw new Error(`The tests of ${folder} fail without a change: ${failure ?? result}`);
    }
    console.log(`${folder}: the tests pass without a change (${((Date.now() - begun) / 1_000).toFixed(0)} s)`);
  }
}

async function main() {
  const mutants = allMutants();
  const explain = readExplained(join(root, 'scripts', 'mutations-explained.json'), mutants);
  const drawn = draw(mutants);
  console.log(`${drawn.length} of ${mutants.length} mutants, seed ${options.seed}`);
  const tree = new TreeCopy(root);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      console.error(`Ended by ${signal}`);
      tree.remove();
      process.exit(1);
    });
  }
  const results = [];
  try {
    await assertGreen(tree, drawn);
    if (!(await tree.compiles(options.timeoutMs))) throw new Error('The type check fails without a change');
    for (const mutant of drawn) {
      results.push(await test(tree, mutant, explain));
      console.log(lineOf(results.at(-1)));
      writeResults(resultFile, results);
    }
  } finally {
    tree.remove();
  }
  printTable(results);
  const { share } = summaryOf(results);
  console.log(`${(share * 100).toFixed(1)} % survive without an explanation (at most ${MAX_UNEXPLAINED * 100} %)`);
  if (share > MAX_UNEXPLAINED) process.exitCode = 1;
}

await main();
await calmEnd();
