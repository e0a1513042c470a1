/** Libraries published as ES modules only; Node 20 cannot require() them inside jest, so swc compiles them. */
const esModules = ['jose', '@scure', '@noble', 'oidc-provider', 'openid-client', 'oauth4webapi'];

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
  transform: { '^.+\\.(t|j|mj)s$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${esModules.join('|')})/)`],
  moduleNameMapper: {
    '^#migrations$': '<rootDir>/migrations/index.ts',
    '^castellan$': '<rootDir>/src/index.ts',
    '^castellan/testing$': '<rootDir>/src/testing/index.ts',
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 60_000,
  maxWorkers: Math.min(4, Math.max(3, require('node:os').availableParallelism())),
  workerIdleMemoryLimit: '1500MB',
};
