/*
 * Takes a screenshot of every page, and of the states of pages that the browser tests look at, in both languages, widths
 * and color schemes, into a folder for each spec. With --pages, only of pages whose path matches the expression.
 *
 *   npm run screenshots -- [.tmp/screenshots] [--pages '/admin/(users|roles)']
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const SPECS = 'test/browser';

/** The specs that take pictures. */
const photographers = () =>
  readdirSync(SPECS)
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => join(SPECS, file))
    .filter((file) => /\b(describeEveryPage|expectGoodLooks|photograph)\(/.test(readFileSync(file, 'utf8')));

const { values, positionals } = parseArgs({ allowPositionals: true, options: { pages: { type: 'string' } } });
const folder = resolve(positionals[0] ?? '.tmp/screenshots');
const chosen =
  values.pages === undefined
    ? photographers()
    : [
        ...['en', 'zh'].map((language) => `${SPECS}/every-page.${language}.spec.ts`),
        '-t',
        `renders the .* page (${values.pages})$`,
      ];
// Each spec by itself: the suites of `npm run test:browser` have other paths.
const jest = ['run', '-s', 'jest', '--', '--testPathIgnorePatterns', '/node_modules/', '--maxWorkers', '2'];
const { status } = spawnSync('npm', [...jest, '--runTestsByPath', ...chosen], {
  stdio: 'inherit',
  env: { ...process.env, SCREENSHOTS: folder },
});
if (status === 0) console.log(`\nThe screenshots are in ${folder}`);
process.exitCode = status ?? 1;
