/** The order of knowledge: a module may import only what stands to its left, always through its index.ts. */
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
  'login',
  'user-admin',
  'auth',
  'oauth',
  'remote-guard',
  'import-export',
  'statistics',
  'info',
  'diagnostics',
];

const orderRules = ORDER.map((name, position) => ({
  name: `order-${name}`,
  severity: 'error',
  comment: `${name} may know only what stands to its left in the order of modules.`,
  from: { path: `^src/${name}/` },
  to: {
    path: [...ORDER.slice(position + 1).map((later) => `^src/${later}/`), '^src/[^/]+\\.ts$', '^src/standalone/'],
  },
}));

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
      comment: 'Another module is entered through its index.ts.',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/(?!platform/)([^/]+)/', pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'platform-front-doors',
      severity: 'error',
      comment: 'A room of the platform is entered through its index.ts.',
      from: { path: '^src/(?!platform/|guard/)' },
      to: { path: '^src/platform/([^/]+)/', pathNot: '^src/platform/[^/]+/index\\.ts$' },
    },
    {
      name: 'platform-rooms',
      severity: 'error',
      comment: 'Rooms of the platform meet at their front doors, too.',
      from: { path: '^src/platform/([^/]+)/' },
      to: { path: '^src/platform/([^/]+)/', pathNot: ['^src/platform/$1/', '^src/platform/[^/]+/index\\.ts$'] },
    },
    {
      name: 'guard-is-light',
      severity: 'error',
      comment:
        'The guard of other services loads neither database nor server: of the platform it knows these files only.',
      from: { path: '^src/guard/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/guard/',
          '^src/platform/(context|errors|policy|text)/index\\.ts$',
          '^src/platform/maybe-promise\\.ts$',
          '^src/platform/cache/lru\\.ts$',
          '^src/platform/config/project-root\\.ts$',
          '^src/platform/http/(cookies|csrf|language)\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'not-to-guard',
      severity: 'error',
      comment: 'The guard of other services is a package of its own, which nothing here uses.',
      from: { path: '^src/(?!guard/)' },
      to: { path: '^src/guard/' },
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
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'] },
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
