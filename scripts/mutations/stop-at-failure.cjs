const { TestEnvironment } = require('jest-environment-node');

/** Skips the remaining tests of a file after the first failure. The hooks after them still clean up. */
module.exports = class StopAtFailure extends TestEnvironment {
  #hasFailed = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
    if (name === 'test_start' && this.#hasFailed) test.mode = 'skip';
  }
};
