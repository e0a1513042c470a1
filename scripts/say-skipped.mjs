// Prints which tests this run skips and why, because the Jest configuration cannot.
console.log(
  'Skipped: test/browser (pages and examples). Run them with npm run test:browser, which needs Chromium and nginx.',
);
if (process.env.TEST_DATABASE_URL === undefined && !process.env.TEST_ALL) {
  console.log(
    'Skipped: test/reliability, test/package and the specs of the command line, cookie settings, signing keys and proxies.\n' +
      'They start many processes or services and give the same results on both databases. They run when TEST_DATABASE_URL\n' +
      'names a PostgreSQL server, or with TEST_ALL=1. npm run test:reliability runs test/reliability.',
  );
}
