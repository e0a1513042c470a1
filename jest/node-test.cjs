/* The preset gives this file in place of `node:test`, whose tests Jest would not see. */
throw new Error(
  'This test uses the runner of Node (node:test), but Jest runs it: leave that import out, and write beforeAll and ' +
    'afterAll for before and after. The globals of Jest do the rest.',
);
