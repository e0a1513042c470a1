const Sequencer = require('@jest/test-sequencer').default;

const isSuite = ({ path }) => path.endsWith('.suite.ts');

/** Runs the suites first, so that workers that finish early share the short files. */
module.exports = class SuitesFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isSuite), ...sorted.filter((test) => !isSuite(test))];
  }
};
