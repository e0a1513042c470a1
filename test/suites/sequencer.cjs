const { readFileSync, statSync } = require('node:fs');
const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const root = path.resolve(__dirname, '../..');
/** Until a run has measured the files. Unit tests are quick. */
const msPerByte = (file) => (/^(src|packages)\//.test(path.relative(root, file)) ? 0.1 : 0.5);
/** They build packages or the image, send many requests, visit every page, or start many processes, servers or services. */
const LONG = [
  { files: /test\/(browser\/every-page|reliability\/start|suites\/servers)\./, ms: 120_000 },
  {
    files: /test\/(package\/|fuzz\/|reliability\/(container-image|crash|production-setup)\.|suites\/commands\.)/,
    ms: 60_000,
  },
];

/** The specs of a suite, or the file itself. */
const specsOf = ({ path: file, context }) =>
  (context.config.globals.SUITES[path.basename(file, '.suite.ts')] ?? [file]).map((spec) => path.resolve(root, spec));

const isOfReliability = (spec) => spec.includes('/test/reliability/');

/** Keeps a processor busy. Tests of outages mostly wait, also in a suite. */
const isBusy = (test) => /\.suite\.ts$|every-page/.test(test.path) && !specsOf(test).some(isOfReliability);

/** Tests of outages that expect an answer within a time. */
const isTimed = (test) =>
  specsOf(test).some((spec) => isOfReliability(spec) && readFileSync(spec, 'utf8').includes('.toBeLessThan'));

function expectedMs(test) {
  if (typeof test.duration === 'number') return test.duration;
  const long = LONG.find(({ files }) => files.test(test.path));
  if (long) return long.ms;
  return specsOf(test).reduce((sum, spec) => sum + statSync(spec).size * msPerByte(spec), 0);
}

/** Spreads the shorter list evenly over the longer one. */
function interleave(one, other) {
  const placed = [one, other].flatMap((tests) =>
    tests.map((test, index) => ({ test, at: (index + 0.5) / tests.length })),
  );
  return placed.sort((a, b) => a.at - b.at).map(({ test }) => test);
}

/**
 * Runs the longest first. Suites that keep a processor busy alternate with the rest, which mostly waits for processes and
 * servers. What measures times runs last, because busy suites would slow it down.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    // Also reads the durations of former runs.
    const sorted = super.sort(tests).sort((a, b) => expectedMs(b) - expectedMs(a));
    const timed = sorted.filter(isTimed);
    const others = sorted.filter((test) => !isBusy(test) && !timed.includes(test));
    return [...interleave(sorted.filter(isBusy), others), ...timed];
  }
};
