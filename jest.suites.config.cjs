const base = require('./jest.config.cjs');
const planSuites = require('./test/suites/plan.cjs');

const isIgnored = (spec) => base.testPathIgnorePatterns.some((pattern) => new RegExp(pattern).test(`/${spec}`));
const { suites, files } = planSuites((spec) => !isIgnored(spec));

/** Every spec of jest.config.cjs, loaded by suites. */
module.exports = {
  ...base,
  testMatch: files.map((file) => `<rootDir>/${file}`),
  testSequencer: '<rootDir>/test/suites/sequencer.cjs',
  globals: { SUITES: suites },
};
