// Sends random requests to every route, 2,000 each unless FUZZ_REQUESTS is set. Each run uses another seed. FUZZ_SEED
// repeats one.
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('npm', ['run', '--silent', 'jest', '--', 'test/fuzz', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { FUZZ_REQUESTS: '2000', FUZZ_SEED: String(Date.now() % 2 ** 31), ...process.env, TEST_ALL: '1' },
});
process.exit(status ?? 1);
