import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The mutated folders, and the beginnings of the names of their specs in test/e2e. A mutant belongs to the longest
 * folder that contains it.
 */
const E2E_OF = {
  'src/session': [
    'session-',
    'refresh',
    'life-of-a-session',
    'verify',
    'cookies',
    'host-cookies',
    'settings-cookies',
    'leaving-clients',
    'signing-keys',
    'cli-keys',
    'user-admin-access',
    'lockout.',
  ],
  'src/rbac': [
    'role',
    'permission',
    'user-grants',
    'default-role',
    'system-roles',
    'guard-agreement',
    'escalation',
    'admin-writes',
    'user-admin-escalation',
    'import.',
    'import-own-export',
  ],
  'src/mfa': ['second-factor', 'passkey', 'unconfirmed-factors', 'user-admin-reset', 'own-account'],
  'src/oauth': ['oauth'],
  'src/oauth/login': ['oauth/', 'oauth-presets', 'oauth-provider', 'reset-identities', 'odd-addresses'],
  'src/oauth/server': [
    'oauth-answers',
    'oauth-back-channel',
    'oauth-client',
    'oauth-conformance',
    'oauth-decisions',
    'oauth-defences',
    'oauth-flows',
    'oauth-heads',
    'oauth-hostile',
    'oauth-instances',
    'oauth-interactions',
    'oauth-live-tokens',
    'oauth-machines',
    'oauth-misbehaving',
    'oauth-native-clients',
    'oauth-popups',
    'oauth-replays',
    'oauth-revocations',
    'oauth-sessions',
    'logout-outbox',
    'user-admin-client-owners',
  ],
  'src/verification': ['code', 'typed-codes', 'lockout-paths', 'language', 'message-templates', 'deliveries'],
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

export const folders = Object.keys(E2E_OF);

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
  Object.keys(E2E_OF)
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];

/** The specs that cover a file, as steps that run one after the other: first the unit specs, then those over HTTP. */
export function stepsFor(root, file) {
  const folder = folderOf(file);
  const beside = file.replace(/\.ts$/, '.spec.ts');
  const units = below(root, folder).filter((path) => path.endsWith('.spec.ts'));
  const e2e = below(root, 'test/e2e').filter(
    (path) => path.endsWith('.spec.ts') && E2E_OF[folder].some((prefix) => path.startsWith(`test/e2e/${prefix}`)),
  );
  const first = existsSync(join(root, beside)) ? [beside] : [];
  return { folder, steps: [[...new Set([...first, ...units])], e2e].filter((specs) => specs.length > 0) };
}
