const path = require('node:path');
const base = require('../../jest.config.cjs');
const planSuites = require('../../test/suites/plan.cjs');

const wanted = new Set(JSON.parse(process.env.MUTATION_SPECS));
const { suites, files } = planSuites((spec) => wanted.has(spec));

/** The specs of MUTATION_SPECS, loaded by suites. Each file stops at its first failure. */
module.exports = {
  ...base,
  rootDir: path.resolve(__dirname, '../..'),
  testPathIgnorePatterns: ['/node_modules/'],
  testMatch: files.map((file) => `<rootDir>/${file}`),
  testSequencer: '<rootDir>/test/suites/sequencer.cjs',
  testEnvironment: '<rootDir>/scripts/mutations/stop-at-failure.cjs',
  globals: { SUITES: suites },
};
