/*
 * Ends Jest's workers once their event loop is empty. Freeing their heap takes so long, and on some machines hangs
 * (nodejs/node#54918), that Jest reports workers that failed to exit. Passed by --require; workers inherit it.
 */
if (process.argv[1]?.endsWith('jest-worker/build/processChild.js')) {
  // After all other listeners for the exit.
  process.once('beforeExit', () => process.once('exit', () => process.kill(process.pid, 'SIGKILL')));
}
