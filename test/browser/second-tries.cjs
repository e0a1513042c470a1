const path = require('node:path');

/** Names the tests that passed at the second try only. */
module.exports = class SecondTries {
  onRunComplete(_contexts, { testResults }) {
    const tests = testResults.flatMap(({ testFilePath, testResults: cases }) =>
      cases
        .filter(({ status, invocations }) => status === 'passed' && invocations > 1)
        .map(({ fullName }) => `  ${path.basename(testFilePath)}: ${fullName}\n`),
    );
    if (tests.length > 0) process.stderr.write(`\nPassed at the second try only:\n${tests.join('')}`);
  }
};
