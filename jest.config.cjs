const { readFileSync } = require('node:fs');
const path = require('node:path');

/** Libraries published as ES modules only; Node 20 cannot require() them inside jest, so swc compiles them. */
const esModules = ['jose', '@scure', '@noble', 'oidc-provider', 'openid-client', 'oauth4webapi'];
/** It imports dynamically what Node has of its own. */
const importers = ['@electric-sql/pglite'];

/** As for the build, but for dynamic imports: an ES module inside jest stays in memory, and all of its test file with it. */
const swc = JSON.parse(readFileSync(path.join(__dirname, '.swcrc'), 'utf8'));
swc.module.ignoreDynamic = false;

/** What starts many processes or services and says the same on either database: run where a server is named, once. */
const onServer = [
  '/test/reliability/',
  '/test/fuzz/',
  '/test/e2e/(cli|settings-cookies|signing-keys|proxies)\\.spec\\.ts$',
];
const isServerNamed = process.env.TEST_DATABASE_URL !== undefined;

module.exports = {
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/packages/client/src'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '/test/browser/',
    ...(isServerNamed ? [] : ['/test/package/']),
    ...(isServerNamed || process.env.TEST_ALL ? [] : onServer),
  ],
  testMatch: ['**/*.spec.ts'],
  transform: { '^.+\\.([cm]?j|t)s$': ['@swc/jest', swc] },
  transformIgnorePatterns: [`/node_modules/(?!(${[...esModules, ...importers].join('|')})/)`],
  moduleNameMapper: {
    '^#migrations$': '<rootDir>/migrations/index.ts',
    '^castellan$': '<rootDir>/src/index.ts',
    '^castellan/testing$': '<rootDir>/src/testing/index.ts',
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 60_000,
  // Those on a server wait for it now and then; the others never do, and one too many only gets in their way.
  maxWorkers: Math.min(4, Math.max(isServerNamed ? 3 : 2, require('node:os').availableParallelism())),
  // Of its heap, once a test file has ended and been collected: what then is left will never go.
  workerIdleMemoryLimit: '250MB',
};
