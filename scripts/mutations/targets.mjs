import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The mutated folders, and the beginnings of the names of their specs in test/e2e, or in test/integration where they
 * say so. A mutant belongs to the longest folder that contains it.
 */
const TESTS_OF = {
  'src/session': [
    'session-',
    'acting',
    'refresh',
    'life-of-a-session',
    'verify',
    'cookies',
    'host-cookies',
    'settings-cookies',
    'leaving-clients',
    'signing-keys',
    'cli-keys',
    'cli-sessions',
    'user-admin-access',
    'account-deletion',
    'assertions',
    'lockout.',
    'oauth-sessions',
    'integration/monitoring',
  ],
  'src/rbac': [
    'role',
    'permission',
    'user-grants',
    'default-role',
    'system-roles',
    'guard-agreement',
    'remote-guard',
    'host-guarded',
    'host-seeds',
    'invitation',
    'escalation',
    'admin-writes',
    'user-admin-escalation',
    'import',
    'authzen',
    'group',
    'organization',
    'oauth-access-fields',
    'integration/cache-names',
    'integration/organization',
  ],
  'src/mfa': [
    'second-factor',
    'passkey',
    'unconfirmed-factors',
    'user-admin-reset',
    'own-account',
    'import-credentials',
  ],
  'src/oauth': ['oauth'],
  'src/oauth/login': [
    'oauth/',
    'oauth-presets',
    'oauth-provider',
    'login-methods',
    'reset-identities',
    'odd-addresses',
    'integration/provider-',
  ],
  'src/oauth/server': [
    'access-table',
    'oauth-access',
    'oauth-answers',
    'oauth-back-channel',
    'oauth-claims',
    'oauth-client',
    'oauth-conformance',
    'oauth-decisions',
    'oauth-defences',
    'oauth-flows',
    'oauth-groups',
    'oauth-heads',
    'oauth-hostile',
    'oauth-instances',
    'oauth-interactions',
    'oauth-live-tokens',
    'oauth-machines',
    'oauth-misbehaving',
    'oauth-native-clients',
    'oauth-organization',
    'oauth-pages',
    'oauth-popups',
    'oauth-preview',
    'oauth-replays',
    'oauth-revocations',
    'oauth-sessions',
    'oauth-terms',
    'oauth-tied-clients',
    'logout-outbox',
    'organization-clients',
    'user-admin-client-owners',
    'integration/logout-notices',
  ],
  'src/verification': [
    'code',
    'typed-codes',
    'acting',
    'register',
    'rate-limits',
    'lockout-paths',
    'language',
    'message-templates',
    'deliveries',
  ],
  'src/platform/crypto': [
    'password',
    'imported-hashes',
    'session-token',
    'signing-keys',
    'cli-keys',
    'codes',
    'code-proofs',
    'oauth-flows',
    'oauth-presets',
    'settings-guards',
    'second-factors',
  ],
};

/** Declarations: they have no behaviour apart from the code that reads them. */
const NOT_MUTATED =
  /\.spec\.ts$|(^|\/)dto\/|\.dto\.ts$|\.(entity|entities|settings|errors|permissions|events|module)\.ts$|\/index\.ts$/;

export const folders = Object.keys(TESTS_OF);

const below = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1));

/** The files to mutate in a folder, sorted, so that a seed draws the same mutants everywhere. */
export const filesToMutate = (root, folder) =>
  below(root, folder)
    .filter((file) => !NOT_MUTATED.test(file))
    .sort();

const folderOf = (file) =>
  Object.keys(TESTS_OF)
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];

const beginningOf = (prefix) => (prefix.startsWith('integration/') ? `test/${prefix}` : `test/e2e/${prefix}`);

/** The specs that cover a file, as steps that run one after the other: first the unit specs, then the others. */
export function stepsFor(root, file) {
  const folder = folderOf(file);
  const beside = file.replace(/\.ts$/, '.spec.ts');
  const units = below(root, folder).filter((path) => path.endsWith('.spec.ts'));
  const others = ['test/integration', 'test/e2e']
    .flatMap((from) => below(root, from))
    .filter((path) => path.endsWith('.spec.ts'))
    .filter((path) => TESTS_OF[folder].some((prefix) => path.startsWith(beginningOf(prefix))));
  const first = existsSync(join(root, beside)) ? [beside] : [];
  return { folder, steps: [[...new Set([...first, ...units])], others].filter((specs) => specs.length > 0) };
}
