/** The order of knowledge: a room may import only what stands to its left, always through a front door. */
const ORDER = [
  'platform',
  'audit',
  'settings',
  'users',
  'rbac',
  'session',
  'messaging',
  'verification',
  'mfa',
  'events',
  'organizations',
  'auth',
  'user-admin',
  'oauth',
  'directories',
  'host-api',
  'service-guard',
  'import-export',
  'operations',
];

/** What composes the rooms, in the same order. */
const COMPOSITION = ['identity', 'standalone', 'testing', 'cli'];

/** The same inside a room: a name is a folder, `.` the files of the room itself. */
const INNER_ORDERS = {
  platform: [
    'page-checks',
    'i18n',
    'context',
    'util',
    'passwords',
    'config',
    'database',
    'logging',
    'errors',
    'settings',
    'crypto',
    'jobs',
    'cache',
    'metrics',
    'http',
    'access',
    'outbound',
    'lists',
    '.',
  ],
  audit: ['log', 'chain', 'sinks'],
  rbac: ['permission', 'grants', 'escalation', 'organizations', 'groups', 'roles', 'authority', 'authzen', '.'],
  events: ['feed', 'handlers', 'webhooks'],
  organizations: ['.', 'domains', 'settings', 'invitations'],
  users: ['attributes', '.'],
  messaging: ['message', 'templates', 'delivery', 'notices', '.'],
  session: ['keys', 'store', 'tokens', 'acting', 'refresh', '.'],
  'oauth/server': [
    'core',
    'storage',
    'clients',
    'claims',
    'consents',
    'engine',
    'interactions',
    'protocol',
    'logout',
    '.',
  ],
  'directories/scim': ['protocol', '.'],
  auth: ['login', 'account', 'password', 'registration', 'terms', '.'],
};

/** Folders with a front door of their own, which other rooms enter beside that of the room. */
const DOORS = [
  'audit/(chain|sinks)',
  'auth/login',
  'events/[^/]+',
  'import-export/data-export',
  'operations/[^/]+',
  'organizations/(domains|invitations|settings)',
  'service-guard/[^/]+',
  'users/(attributes|avatars)',
];
const PLATFORM_DOORS = ['access/policy', 'http/(input|problems)', 'jobs/events', 'outbound/deliveries'];

const door = (folder) => `^src/${folder}/index\\.ts$`;
const platformDoors = ['[^/]+', ...PLATFORM_DOORS].map((folder) => door(`platform/${folder}`));

const orderRules = [...ORDER, ...COMPOSITION].map((name, position, all) => ({
  name: `order-${name}`,
  severity: 'error',
  comment: `${name} may know only what stands to its left in the order of rooms.`,
  from: { path: `^src/${name}/`, pathNot: '\\.spec\\.ts$' },
  to: { path: [...all.slice(position + 1).map((later) => `^src/${later}/`), '^src/[^/]+\\.ts$'] },
}));

const within = (room, name) => (name === '.' ? `^src/${room}/[^/]+\\.ts$` : `^src/${room}/${name}/`);

const innerOrderRules = Object.entries(INNER_ORDERS).flatMap(([room, names]) =>
  names.slice(0, -1).map((name, position) => ({
    name: `order-${room}-${name}`,
    severity: 'error',
    comment: `${room}/${name} may know only what stands to its left in the order inside ${room}.`,
    from: { path: within(room, name), pathNot: [door(room), '\\.spec\\.ts$'] },
    to: { path: names.slice(position + 1).map((later) => within(room, later)), pathNot: door(room) },
  })),
);

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'No circles, types included.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'front-doors-only',
      severity: 'error',
      comment: 'Another module is entered through its index.ts; its variables are read before it is loaded.',
      from: { path: '^src/([^/]+)/' },
      to: {
        path: '^src/(?!platform/)([^/]+)/',
        pathNot: ['^src/$1/', door('[^/]+'), ...DOORS.map(door), '[.]variables[.]ts$'],
      },
    },
    {
      name: 'platform-front-doors',
      severity: 'error',
      comment: 'A room of the platform is entered through its index.ts.',
      from: { path: '^src/(?!platform/|service-guard/client/)' },
      to: { path: '^src/platform/([^/]+)/', pathNot: platformDoors },
    },
    {
      name: 'platform-rooms',
      severity: 'error',
      comment: 'Rooms of the platform meet at their front doors, too.',
      from: { path: '^src/platform/([^/]+)/' },
      to: { path: '^src/platform/([^/]+)/', pathNot: ['^src/platform/$1/', ...platformDoors] },
    },
    {
      name: 'guard-is-light',
      severity: 'error',
      comment:
        'The guard of other services loads neither database nor server: of the platform it knows these files only.',
      from: { path: '^src/service-guard/client/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/service-guard/client/',
          '^src/platform/(context|errors|access/policy|util)/index\\.ts$',
          '^src/platform/util/maybe-promise\\.ts$',
          '^src/platform/cache/lru\\.ts$',
          '^src/platform/config/project-root\\.ts$',
          '^src/platform/crypto/assertion-type\\.ts$',
          '^src/platform/http/(cookies|csrf|language)\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'not-to-guard',
      severity: 'error',
      comment: 'The guard of other services is a package of its own, which nothing here uses.',
      from: { path: '^src/(?!service-guard/client/)' },
      to: { path: '^src/service-guard/client/' },
    },
    {
      name: 'not-to-standalone',
      severity: 'error',
      comment: 'The standalone server is a host of the module: only the entry points know it.',
      from: { path: '^src/', pathNot: ['^src/(standalone|cli)/', '^src/(main|cli)\\.ts$'] },
      to: { path: '^src/standalone/' },
    },
    {
      name: 'pages-not-to-server',
      severity: 'error',
      comment: 'The pages know features, but not the server that serves them.',
      from: { path: '^src/standalone/ui/' },
      to: { path: ['^src/[^/]+\\.ts$', '^src/standalone/(?!ui/)'] },
    },
    {
      name: 'not-to-testing',
      severity: 'error',
      comment: 'What tests of hosts use stands above everything.',
      from: { path: '^src/', pathNot: ['^src/testing/', '\\.spec\\.ts$'] },
      to: { path: '^src/testing/' },
    },
    {
      name: 'not-to-test',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '(^test/|\\.spec\\.ts$)' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '\\.(spec|d)\\.ts$' },
      to: {},
    },
    {
      name: 'not-to-dev-dep',
      severity: 'error',
      comment: 'Optional peers are development dependencies of the repository, too.',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'oauth-sides',
      severity: 'error',
      comment: 'Login through third parties and the authorization server do not know each other.',
      from: { path: '^src/oauth/(login|server)/' },
      to: { path: '^src/oauth/', pathNot: '^src/oauth/$1/' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...orderRules,
    ...innerOrderRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'require', 'node', 'default'],
    },
  },
};
