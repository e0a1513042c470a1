const base = require('./jest.config.cjs');
const planSuites = require('./test/suites/plan.cjs');

/**
 * The specs whose result can differ on the embedded database: the start, transactions, its one connection, the lock of its
 * folder, crashes, and one file of each feature.
 */
const names = {
  'test/integration': [
    'audit',
    'holdings',
    'kept-plans',
    'pending-migrations',
    'reads-by-id',
    'read-through-cache',
    'schema',
    'shared-database',
    'transactions',
    'unawaited-statements',
    'user-list',
  ],
  'test/e2e': [
    'first-administrator',
    'pending-start',
    'embedding',
    'extending',
    'extending-together',
    'host-start',
    'host-packages',
    'for-root-async',
    'registration-race',
    'refresh-together',
    'outage',
    'busy-database',
    'register',
    'password',
    'profile',
    'account-deletion',
    'codes',
    'lockout',
    'login-methods',
    'session-list',
    'refresh',
    'roles',
    'role-members',
    'groups',
    'user-grants',
    'settings',
    'settings-history',
    'audit-api',
    'events',
    'webhook-deliveries',
    'statistics',
    'deliveries',
    'message-templates',
    'second-factors',
    'passkeys',
    'oauth/linking',
    'oauth-providers',
    'oauth-clients',
    'oauth/callback',
    'oauth-replays',
    'oauth-back-channel',
    'user-admin-list',
    'user-admin-accounts',
    'import',
    'transfer',
    'info',
    'doctor',
    'journals',
  ],
  'test/reliability': ['crash', 'start'],
};
const folders = ['src/platform/database/', 'src/platform/jobs/'];
const files = new Set(
  Object.entries(names).flatMap(([folder, specs]) => specs.map((spec) => `${folder}/${spec}.spec.ts`)),
);

const suites = planSuites((spec) => files.has(spec) || folders.some((folder) => spec.startsWith(folder)));

/** Run beside the suites on servers, without `TEST_DATABASE_URL`. On a machine with nothing installed `npm test` runs every spec. */
module.exports = {
  ...base,
  testMatch: suites.files.map((file) => `<rootDir>/${file}`),
  // The list above decides. The base configuration leaves test/reliability to runs on a server.
  testPathIgnorePatterns: ['/node_modules/'],
  testSequencer: '<rootDir>/test/suites/sequencer.cjs',
  globals: { SUITES: suites.suites },
};
