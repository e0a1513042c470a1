// Usage: node lock-holder.cjs <entry module> <folder>. Waits for a line, tries the lock, prints the result, and runs
// until killed.
const { DataFolderLock } = require(process.argv[2]);

process.stdin.once('data', async () => {
  try {
    await DataFolderLock.acquire(process.argv[3]);
    process.stdout.write('won\n');
  } catch (error) {
    process.stdout.write(`${error.code ?? error.message}\n`);
  }
});
process.stdout.write('ready\n');
