const base = require('./jest.config.cjs');

/** What needs Chromium, or nginx; the ordinary suite needs nothing but Node. */
module.exports = { ...base, roots: ['<rootDir>/test/browser'], testPathIgnorePatterns: [], maxWorkers: 2 };
