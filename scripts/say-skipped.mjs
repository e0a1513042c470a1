// Says before the tests which of them this run leaves out, and why: the configuration itself is silent.
console.log(
  'Left out: test/browser, pages and the examples around them: npm run test:browser, with Chromium and nginx.',
);
if (process.env.TEST_DATABASE_URL === undefined && !process.env.TEST_ALL) {
  console.log(
    'Left out: test/reliability, test/package and the specs of the command line, cookie settings, signing keys and proxies.\n' +
      'They start many processes or services and say the same on either database: they run where TEST_DATABASE_URL\n' +
      'names a PostgreSQL server, or everywhere with TEST_ALL=1 (npm run test:reliability for the first).',
  );
}
