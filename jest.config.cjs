const { readFileSync } = require('node:fs');
const path = require('node:path');

/** Libraries published as ES modules only; Node 20 cannot require() them inside jest, so swc compiles them. */
const esModules = ['jose', '@scure', '@noble', 'oidc-provider', 'openid-client', 'oauth4webapi'];
/** It imports dynamically what Node has of its own. */
const importers = ['@electric-sql/pglite'];

/** As for the build, but for dynamic imports: an ES module inside jest stays in memory, and all of its test file with it. */
const swc = JSON.parse(readFileSync(path.join(__dirname, '.swcrc'), 'utf8'));
swc.module.ignoreDynamic = false;
const swcOfComponents = {
  ...swc,
  jsc: { ...swc.jsc, parser: { syntax: 'typescript', tsx: true }, transform: { react: { runtime: 'automatic' } } },
};

/** Specs that start many processes and show the same on either database: they run where a server is named. */
const onServer = [
  '/test/reliability/',
  '/test/fuzz/',
  '/test/e2e/(cli|settings-cookies|signing-keys|proxies)\\.spec\\.ts$',
];
const isServerNamed = process.env.TEST_DATABASE_URL !== undefined;

module.exports = {
  testEnvironment: '<rootDir>/test/support/service/environment.cjs',
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/packages/client/src', '<rootDir>/packages/react/src'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '/test/browser/',
    '/test/clients/',
    ...(isServerNamed ? [] : ['/test/package/']),
    ...(isServerNamed || process.env.TEST_ALL ? [] : onServer),
  ],
  // Packages of others, which nothing here imports.
  modulePathIgnorePatterns: ['<rootDir>/test/clients/'],
  testMatch: ['**/*.spec.ts'],
  transform: { '^.+\\.tsx$': ['@swc/jest', swcOfComponents], '^.+\\.([cm]?j|t)s$': ['@swc/jest', swc] },
  transformIgnorePatterns: [`/node_modules/(?!(${[...esModules, ...importers].join('|')})/)`],
  moduleNameMapper: {
    '^#migrations$': '<rootDir>/migrations/index.ts',
    '^castellan$': '<rootDir>/src/index.ts',
    '^castellan/guard$': '<rootDir>/src/service-guard/client/index.ts',
    '^castellan/testing$': '<rootDir>/src/testing/index.ts',
  },
  globalSetup: '<rootDir>/test/support/service/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/service/global-teardown.ts',
  testTimeout: 60_000,
  // With a server, workers wait for it now and then; the embedded database keeps them busy.
  maxWorkers: Math.min(4, Math.max(isServerNamed ? 3 : 2, require('node:os').availableParallelism())),
  // A worker whose heap is larger after a file is replaced: what libraries keep for the process would slow down later files.
  workerIdleMemoryLimit: '500MB',
};
