/** Rules for the pages and the client package. `.dependency-cruiser.cjs` has those of the server. */
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
      name: 'entries-apart',
      severity: 'error',
      comment: 'The login pages and the console share only web/src/shared and web/src/api.',
      from: { path: '^web/src/(auth|console)/' },
      to: { path: '^web/src/(auth|console)/', pathNot: '^web/src/$1/' },
    },
    {
      name: 'areas-below-frame',
      severity: 'error',
      comment:
        'A folder of the console is an area with its pages, parts and data access. Only the router knows the areas.',
      from: { path: '^web/src/console/(parts/|[^/]+$)', pathNot: '^web/src/console/router[.]tsx$' },
      to: { path: '^web/src/console/(?!parts/)[^/]+/' },
    },
    {
      name: 'shared-alone',
      severity: 'error',
      comment: 'Shared code knows no entry.',
      from: { path: '^web/src/(shared|api)/' },
      to: { path: '^web/src/(auth|console)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'require', 'node', 'default'],
    },
  },
};
