/** Libraries published as ES modules only; Node 20 cannot require() them inside jest, so swc compiles them. */
const esModules = ['jose', 'oidc-provider', 'openid-client', 'oauth4webapi'];

module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testPathIgnorePatterns: ['/node_modules/', '/test/browser/'],
  testMatch: ['**/*.spec.ts'],
  transform: { '^.+\\.(t|j|mj)s$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${esModules.join('|')})/)`],
  moduleNameMapper: { '^#migrations$': '<rootDir>/migrations/index.ts' },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 30_000,
  maxWorkers: Math.min(4, Math.max(2, require('node:os').availableParallelism())),
  workerIdleMemoryLimit: '1500MB',
};
