const base = require('./jest.config.cjs');
const planSuites = require('./test/suites/plan.cjs');

const { suites, files } = planSuites((spec) => spec.startsWith('test/browser/'));

/** What needs Chromium, or nginx; the ordinary suite needs nothing but Node. */
module.exports = {
  ...base,
  testMatch: files.map((file) => `<rootDir>/${file}`),
  testPathIgnorePatterns: ['/node_modules/'],
  testSequencer: '<rootDir>/test/suites/sequencer.cjs',
  globals: { SUITES: suites },
  maxWorkers: 2,
  setupFilesAfterEnv: ['<rootDir>/test/browser/second-try.ts'],
  reporters: ['default', '<rootDir>/test/browser/second-tries.cjs'],
};
