import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const build = async (): Promise<void> => {
  await promisify(execFile)('npm', ['run', '-s', 'build:react'], { cwd: join(__dirname, '../..') });
};

let built: Promise<void> | undefined;

/** Builds the client and the React package, once for the files of a suite. */
export const builtPackages = (): Promise<void> => (built ??= build());
