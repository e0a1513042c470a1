const Sequencer = require('@jest/test-sequencer').default;

const isSuite = ({ path }) => path.endsWith('.suite.ts');

/** Starts the suites first: the workers that end early then share the short files. */
module.exports = class SuitesFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isSuite), ...sorted.filter((test) => !isSuite(test))];
  }
};
