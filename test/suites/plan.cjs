const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '../..');

/**
 * Jest reloads every module for each test file, which takes longer than most specs. It therefore runs suites, each of
 * which loads the specs whose path has one of its prefixes. The longest prefix wins.
 */
const suitePrefixes = {
  units: ['src/', 'packages/client/src/', 'packages/react/src/'],
  platform: ['src/platform/'],
  integration: ['test/integration/', 'test/contracts/'],
  ...inFolder('test/e2e', {
    accounts: ['register', 'password', 'profile', 'own-account', 'account-deletion'],
    authority: ['acting', 'escalation', 'admin-writes', 'guarded-settings', 'user-admin'],
    clients: ['oauth'],
    commands: ['cli'],
    // No spec of it declares permissions, which would be in the catalogue.
    codes: [
      'code',
      'reset-identities',
      'lockout',
      'login-methods',
      'typed-codes',
      'odd-addresses',
      'language',
      'permission-catalogue',
    ],
    factors: ['second-factor', 'passkey', 'unconfirmed-factors'],
    hosts: ['host-', 'embedding', 'extending', 'for-root-async'],
    permissions: [
      'group',
      'role',
      'permission',
      'user-grants',
      'default-role',
      'system-roles',
      'access-table',
      'guard-agreement',
      'authzen',
    ],
    providers: ['oauth/', 'oauth-decisions', 'oauth-misbehaving', 'oauth-presets', 'oauth-provider'],
    service: [''],
    sessions: [
      'session',
      'refresh',
      'life-of-a-session',
      'verify',
      'cookies',
      'csrf-cors',
      'leaving-clients',
      'logout-outbox',
      'signing-keys',
    ],
    settings: ['settings', 'message', 'deliveries', 'proxies'],
    users: ['user-search', 'import', 'transfer', 'statistics', 'strict-input', 'audit'],
  }),
  ...inFolder('test/reliability', {
    // They measure times, so the sequencer runs them last: about equally long.
    database_outages: ['database-', 'postgres-promotion'],
    instances: ['behind-nginx', 'redis-partition', 'remote-guard'],
    redis: ['redis-binding', 'redis-instances', 'session-cache'],
    servers: ['backup', 'crossing-writes', 'pgbouncer', 'point-in-time', 'redis-cluster', 'redis-sentinel', 'replicas'],
  }),
  ...inFolder('test/browser', {
    browser_login: ['login', 'identifier-first', 'consent', 'passkeys', 'third-party', 'languages', 'demands'],
    browser_pages: [''],
    browser_console: [
      'acting',
      'admin',
      'brand',
      'console',
      'dashboard',
      'filters',
      'groups',
      'organizations',
      'quick-search',
      'settings',
    ],
    browser_editing: ['editing', 'journeys', 'rejections', 'typed-over', 'client-access'],
    browser_examples: [
      'nest-host-react',
      'nginx-example',
      'oidc-examples',
      'other-services',
      'react-examples',
      'react-registration',
      'spa-example',
    ],
  }),
};

function inFolder(folder, suites) {
  const named = ([suite, names]) => [suite, names.map((name) => `${folder}/${name}`)];
  return Object.fromEntries(Object.entries(suites).map(named));
}

/** Specs that start processes and load few modules, or visit every page. */
const alone = ['test/reliability/', 'test/fuzz/', 'test/package/', 'test/browser/every-page'];

const rules = [
  ...Object.entries(suitePrefixes).flatMap(([suite, prefixes]) => prefixes.map((prefix) => ({ suite, prefix }))),
  ...alone.map((prefix) => ({ suite: undefined, prefix })),
].sort((a, b) => b.prefix.length - a.prefix.length);

const specsBelow = (folder) =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.spec.ts'))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)));

/** Jest would replace the mocked module for every spec of a suite. */
const mocksModules = (spec) => readFileSync(path.join(root, spec), 'utf8').includes('jest.mock(');

/**
 * @param isWanted whether this run includes the spec with this path, relative to the root
 * @returns `suites`: specs that each suite loads. `files`: files that Jest runs, suites first.
 */
module.exports = function planSuites(isWanted) {
  const suites = {};
  const files = [];
  for (const spec of ['src', 'packages/client/src', 'packages/react/src', 'test'].flatMap(specsBelow).sort()) {
    if (!isWanted(spec)) continue;
    const suite = mocksModules(spec) ? undefined : rules.find(({ prefix }) => spec.startsWith(prefix))?.suite;
    if (suite) (suites[suite] ??= []).push(spec);
    else files.push(spec);
  }
  return { suites, files: [...Object.keys(suites).map((suite) => `test/suites/${suite}.suite.ts`), ...files] };
};
