const base = require('./jest.config.cjs');

/**
 * What can differ on the embedded database: the start, transactions on its one connection, the lock of its folder, crashes,
 * details of types, plans and search, and one file of each feature. Two suites, one for each worker, because each loads all
 * modules.
 */
const suites = {
  embedded_accounts: [
    ...inFolder('test/integration', [
      'audit',
      'pending-migrations',
      'reads-by-id',
      'schema',
      'shared-database',
      'transactions',
      'unawaited-statements',
      'user-list',
    ]),
    ...inFolder('test/e2e', [
      'account-deletion',
      'codes',
      'deliveries',
      'first-administrator',
      'import',
      'journals',
      'refresh-together',
      'registration-race',
      'second-factors',
      'session-list',
    ]),
  ],
  embedded_services: inFolder('test/e2e', [
    'audit-api',
    'avatars',
    'doctor',
    'embedding',
    'events',
    'groups',
    'invitations',
    'lockout',
    'oauth-replays',
    'organization-members',
    'outage',
    'passkeys',
    'pending-start',
    'role-members',
    'settings-history',
    'statistics',
    'transfer',
    'user-admin-list',
    'webhook-deliveries',
  ]),
};
/** They start processes, or replace a module. */
const alone = [
  'test/reliability/crash.spec.ts',
  'test/reliability/start.spec.ts',
  'test/integration/kept-plans.spec.ts',
];

function inFolder(folder, names) {
  return names.map((name) => `${folder}/${name}.spec.ts`);
}

/** `.ci/run` runs it after the suites on servers. On a machine with nothing installed `npm test` runs every spec. */
module.exports = {
  ...base,
  testMatch: [...Object.keys(suites).map((suite) => `test/suites/${suite}.suite.ts`), ...alone].map(
    (file) => `<rootDir>/${file}`,
  ),
  // The list above decides. The base configuration leaves test/reliability to runs on a server.
  testPathIgnorePatterns: ['/node_modules/'],
  testSequencer: '<rootDir>/test/suites/sequencer.cjs',
  globals: { SUITES: suites },
};
