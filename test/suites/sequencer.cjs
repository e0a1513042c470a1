const { readFileSync, statSync } = require('node:fs');
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const root = path.resolve(__dirname, '../..');
/** Until a run has measured the files. Unit tests are quick. */
const msPerByte = (file) => (/^(src|packages)\//.test(path.relative(root, file)) ? 0.1 : 0.5);
/** They build packages or the image, send many requests, or start a service for each command. */
const LONG = /test\/(package\/|fuzz\/|reliability\/container-image|suites\/commands)/;
const LONG_MS = 60_000;

const isSuite = ({ path }) => path.endsWith('.suite.ts');

/** Tests of outages that expect an answer within a time. */
const isTimed = ({ path }) =>
  path.includes('/test/reliability/') && readFileSync(path, 'utf8').includes('.toBeLessThan');

function expectedMs({ path: file, duration, context }) {
  if (typeof duration === 'number') return duration;
  if (LONG.test(file)) return LONG_MS;
  const specs = context.config.globals.SUITES[path.basename(file, '.suite.ts')] ?? [file];
  return specs
    .map((spec) => path.resolve(root, spec))
    .reduce((sum, spec) => sum + statSync(spec).size * msPerByte(spec), 0);
}

/** Spreads the shorter list evenly over the longer one. */
function interleave(one, other) {
  const placed = [one, other].flatMap((tests) =>
    tests.map((test, index) => ({ test, at: (index + 0.5) / tests.length })),
  );
  return placed.sort((a, b) => a.at - b.at).map(({ test }) => test);
}

/**
 * Runs the longest first. Suites, which keep a processor busy, alternate with the other files, which mostly wait for
 * processes. Files that measure times run last, because suites would slow them down.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    // Also reads the durations of former runs.
    const sorted = super.sort(tests).sort((a, b) => expectedMs(b) - expectedMs(a));
    const timed = sorted.filter(isTimed);
    const others = sorted.filter((test) => !isSuite(test) && !timed.includes(test));
    return [...interleave(sorted.filter(isSuite), others), ...timed];
  }
};
