// Takes a screenshot of every page in both languages, widths and color schemes, into .tmp/screenshots or the given
// folder.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const folder = resolve(process.argv[2] ?? '.tmp/screenshots');
const { status } = spawnSync('npm', ['run', '-s', 'test:browser', '--', 'test/browser/every-page'], {
  stdio: 'inherit',
  env: { ...process.env, SCREENSHOTS: folder },
});
if (status === 0) console.log(`\nThe screenshots are in ${folder}`);
process.exitCode = status ?? 1;
