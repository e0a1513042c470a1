// Runs the tests of crashes, outages and multiple instances, on the database that the environment names.
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('npm', ['run', '--silent', 'jest', '--', 'test/reliability', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, TEST_ALL: '1' },
});
process.exit(status ?? 1);
