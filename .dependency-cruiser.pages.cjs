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
      comment: 'The login pages, the account pages and the console share only the folders beside them.',
      from: { path: '^web/src/(auth|account|console)/' },
      to: { path: '^web/src/(auth|account|console)/', pathNot: '^web/src/$1/' },
    },
    {
      name: 'ui-basic-without-the-kit',
      severity: 'error',
      comment: 'Of the login pages and the account pages. The console has a component library instead.',
      from: { path: '^web/src/console/' },
      to: { path: '^web/src/ui-basic/' },
    },
    {
      name: 'session-after-login',
      severity: 'error',
      comment: 'Of the account pages and the console: what only makes sense after a login.',
      from: { path: '^web/src/(auth|ui-basic)/' },
      to: { path: '^web/src/session/' },
    },
    {
      name: 'areas-below-frame',
      severity: 'error',
      comment:
        'A folder of the console is an area with its pages, components and data access. Only the router knows the areas.',
      from: { path: '^web/src/console/((components|hooks)/|[^/]+$)', pathNot: '^web/src/console/router[.]tsx$' },
      to: { path: '^web/src/console/(?!(components|hooks)/)[^/]+/' },
    },
    {
      name: 'forms-through-the-index',
      severity: 'error',
      comment: 'The forms are a bundle of their own: what they import past the index has another React context there.',
      from: { path: '^packages/react/src/forms/' },
      to: { path: '^packages/react/src/', pathNot: '^packages/react/src/(forms/|index[.]ts$)' },
    },
    {
      name: 'pages-without-the-service',
      severity: 'error',
      comment: 'Of the service, pages know only the checks that both make.',
      from: { path: '^web/src/' },
      to: { path: '^src/', pathNot: '^src/platform/page-checks/' },
    },
    {
      name: 'shared-alone',
      severity: 'error',
      comment: 'Shared code knows no entry.',
      from: { path: '^web/src/(shared|api|ui-basic|session)/' },
      to: { path: '^web/src/(auth|account|console)/' },
    },
    {
      name: 'shared-by-all',
      severity: 'error',
      comment: 'What all entries share needs nothing that only some of them load.',
      from: { path: '^web/src/(shared|api)/' },
      to: { path: '^web/src/(ui-basic|session)/' },
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
